#include "data/sumo_zone.hpp"

#include <fmt/format.h>

namespace jamiton {

namespace {

[[noreturn]] void fail_without_edge(const Element& vehicle, std::string_view verb, const Zone& zone) {
    vehicle.fail(fmt::format("{0}s in {1} {2}, which has no edge to {0} on", verb, zone.kind, quoted(zone.id)));
}

}  // namespace

bool SumoZoneReader::start(const Element& element) {
    if (element.name() == "taz") {
        start_zone(element);
    } else if (element.name() == "tazSource" && element.parent() == "taz") {
        add_edge(element, element.not_empty("id"), demand_.zones.back().sources);
    } else if (element.name() == "tazSink" && element.parent() == "taz") {
        add_edge(element, element.not_empty("id"), demand_.zones.back().sinks);
    } else {
        return false;
    }
    return true;
}

void SumoZoneReader::start_zone(const Element& element) {
    const std::string_view id = element.not_empty("id");
    if (!ids_.insert(id).second) element.fail("is there twice");
    Zone& zone = demand_.zones.emplace_back();
    zone.id = id;
    for_each_word(element.text_or("edges", ""), blanks,
                  [&](std::string_view edge) { add_edge(element, edge, zone.sources); });
    zone.sinks = zone.sources;
}

void SumoZoneReader::add_edge(const Element& element, std::string_view id, std::vector<int>& edges) {
    const int edge = edge_ids_.find(id);
    if (edge < 0) element.fail(fmt::format("names the unknown edge {}", quoted(id)));
    const EdgeFunction function = network_.edges[static_cast<std::size_t>(edge)].function;
    if (function == EdgeFunction::normal || function == EdgeFunction::connector) return edges.push_back(edge);
    report_.unsupported(element, fmt::format("<{}> over an edge inside a junction", element.name()));
}

int SumoZoneReader::begin_of(const Element& vehicle) {
    const int zone = zone_named(vehicle, "from");
    if (zone >= 0 && demand_.zones[zone].sources.empty()) fail_without_edge(vehicle, "begin", demand_.zones[zone]);
    return zone < 0 ? -1 : begin_in(zone, edge_count());
}

int SumoZoneReader::end_of(const Element& vehicle) {
    const int zone = zone_named(vehicle, "to");
    if (zone >= 0 && demand_.zones[zone].sinks.empty()) fail_without_edge(vehicle, "end", demand_.zones[zone]);
    return zone < 0 ? -1 : end_in(zone, edge_count());
}

// As in SUMO zones and junctions share their names, zones going first.
int SumoZoneReader::zone_named(const Element& vehicle, std::string_view end) {
    for (std::string_view kind : {"Taz", "Junction"}) {
        const std::string attribute = fmt::format("{}{}", end, kind);
        const auto id = vehicle.find(attribute);
        if (!id) continue;
        const int zone = ids_.find(*id);
        const int found = zone >= 0 ? zone : zone_of_junction(*id);
        if (found >= 0) return found;
        vehicle.fail(
            fmt::format("attribute \"{}\" names {}, which is neither a zone nor a junction: a zone must be "
                        "defined before its use, additional files are read first",
                        attribute, quoted(*id)));
    }
    return -1;
}

// Made at its first use; -1: no such junction.
int SumoZoneReader::zone_of_junction(std::string_view id) {
    if (junction_ids_.size() == 0) {
        for (const JunctionDescription& junction : network_.junctions) junction_ids_.insert(junction.id);
    }
    const int junction = junction_ids_.find(id);
    if (junction < 0) return -1;
    ids_.insert(id);
    Zone& zone = demand_.zones.emplace_back();
    zone.id = id;
    zone.kind = "junction";
    for (int e = 0; e < edge_count(); ++e) {
        const EdgeDescription& edge = network_.edges[e];
        if (edge.function != EdgeFunction::normal && edge.function != EdgeFunction::connector) continue;
        if (edge.from == junction) zone.sources.push_back(e);
        if (edge.to == junction) zone.sinks.push_back(e);
    }
    return static_cast<int>(demand_.zones.size()) - 1;
}

}  // namespace jamiton
