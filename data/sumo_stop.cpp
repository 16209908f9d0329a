#include "data/sumo_stop.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/sumo_words.hpp"

namespace jamiton {

namespace {

constexpr std::string_view places[] = {"busStop", "trainStop", "containerStop", "chargingStation"};
constexpr std::string_view all_places[] = {"busStop", "trainStop", "containerStop", "chargingStation", "parkingArea"};
constexpr std::string_view other_places[] = {"overheadWireSegment"};
constexpr std::string_view conditions[] = {"triggered", "containerTriggered",
                                           "expected",  "expectedContainers",
                                           "permitted", "join",
                                           "split",     "onDemand",
                                           "jump",      "posLat",
                                           "extension"};
constexpr double shortest = 0.2;  // m, of the stretch a vehicle may stand on

bool is_unsupported(const Element& element, UnsupportedReport& report) {
    for (std::string_view place : other_places) {
        if (!element.find(place)) continue;
        report.unsupported(element, fmt::format("<stop> with \"{}\"", place));
        return true;
    }
    for (std::string_view condition : conditions) {
        const auto value = element.find(condition);
        if (!value || value->empty() || parse_flag(*value) == false) continue;
        report.unsupported(element, fmt::format("<stop> with \"{}\"", condition));
        return true;
    }
    return false;
}

bool names_edge(const Element& element) {
    return element.name() == "stop" && !element.find("lane") && element.find("edge");
}

}  // namespace

bool SumoStopReader::is_place(std::string_view element_name) {
    return std::ranges::find(places, element_name) != std::end(places);
}

// Of an edge its rightmost one.
int SumoStopReader::lane_named(std::string_view id, bool of_edge) {
    if (lane_ids_.size() == 0) {
        for (const LaneDescription& lane : network_.lanes) lane_ids_.insert(lane.id);
    }
    return lane_ids_.find(of_edge ? fmt::format("{}_0", id) : id);
}

// Without a start: default_way m before the end, a negative one the lane start.
SumoStopReader::Stretch SumoStopReader::read_stretch(const Element& element, double default_way) {
    const std::string_view place = names_edge(element) ? "edge" : "lane", id = element.not_empty(place);
    Stretch stretch{.lane = lane_named(id, place == "edge")};
    if (stretch.lane < 0) element.fail(fmt::format("attribute \"{0}\" names the unknown {0} {1}", place, quoted(id)));
    const double length = network_.lanes[stretch.lane].length;
    const bool friendly = element.flag_or("friendlyPos", false);
    const double end = read_position(element, "endPos", length, length, friendly);
    const double fallback = default_way < 0 ? 0 : std::max(0.0, end - default_way);
    double start = read_position(element, "startPos", fallback, length, friendly);
    if (friendly && start > end) start = std::max(0.0, end - shortest);
    if (start > end) element.fail("has its startPos behind its endPos");
    stretch.start = static_cast<float>(start);
    stretch.end = static_cast<float>(end);
    return stretch;
}

void SumoStopReader::add_place(const Element& element) {
    const std::string_view id = element.not_empty("id");
    const Stretch stretch = read_stretch(element, -1);
    if (!places_.try_emplace(fmt::format("{} {}", element.name(), id), static_cast<int>(demand_.places.size())).second)
        element.fail("is there twice");
    demand_.places.push_back({std::string(id), stretch.lane, stretch.start, stretch.end});
}

void SumoStopReader::add_parking_area(const Element& element) {
    ParkingAreaDescription area;
    area.id = element.not_empty("id");
    const Stretch stretch = read_stretch(element, -1);
    area.lane = stretch.lane;
    area.start_pos = stretch.start;
    area.end_pos = stretch.end;
    area.on_road = element.flag_or("onRoad", false);
    const int capacity = element.integer_or("roadsideCapacity", 0, 0, 1000000);
    const float lot = capacity > 0 ? (area.end_pos - area.start_pos) / static_cast<float>(capacity) : 0;
    for (int n = 1; n <= capacity; ++n) area.lot_ends.push_back(area.start_pos + static_cast<float>(n) * lot);
    if (!areas_.insert(area.id).second) element.fail("is there twice");
    demand_.areas.push_back(std::move(area));
}

// A space lies anywhere beside the road; vehicles leave the lane for it at the end of the area.
void SumoStopReader::add_space(const Element& element) {
    if (element.parent() != "parkingArea" || demand_.areas.empty()) element.fail("stands outside a <parkingArea>");
    demand_.areas.back().lot_ends.push_back(demand_.areas.back().end_pos);
}

void SumoStopReader::check_one_place(const Element& element) {
    std::string_view first;
    for (std::string_view kind : all_places) {
        if (element.text_or(kind, "").empty()) continue;
        if (!first.empty()) element.fail(fmt::format("names both \"{}\" and \"{}\", expected one", first, kind));
        first = kind;
    }
}

// What it names beside its place has to be where that is.
void SumoStopReader::check_lane(const Element& element, int lane) const {
    const LaneDescription& place = network_.lanes[static_cast<std::size_t>(lane)];
    const std::string &lane_id = place.id, &edge_id = network_.edges[static_cast<std::size_t>(place.edge)].id;
    for (const auto& [attribute, expected] : {std::pair("lane", &lane_id), {"edge", &edge_id}}) {
        const std::string_view named = element.text_or(attribute, "");
        if (!named.empty() && named != *expected)
            element.fail_value(attribute, fmt::format("{}, where it stops", quoted(*expected)));
    }
}

// False: it names none.
bool SumoStopReader::read_place(const Element& element, StopDescription& stop) const {
    for (std::string_view kind : places) {
        const auto id = element.find(kind);
        if (!id || id->empty()) continue;
        const auto known = places_.find(fmt::format("{} {}", kind, *id));
        if (known == places_.end())
            element.fail(fmt::format("attribute \"{0}\" names the unknown {0} {1}: expected one of an additional file",
                                     kind, quoted(*id)));
        const StopPlaceDescription& place = demand_.places[static_cast<std::size_t>(known->second)];
        stop.place = known->second;
        stop.lane = place.lane;
        stop.start_pos = place.start_pos;
        stop.end_pos = place.end_pos;
        return true;
    }
    const auto id = element.find("parkingArea");
    if (!id || id->empty()) return false;
    stop.area = areas_.find(*id);
    if (stop.area < 0)
        element.fail(
            fmt::format("attribute \"parkingArea\" names the unknown parkingArea {}: expected one of an "
                        "additional file",
                        quoted(*id)));
    const ParkingAreaDescription& area = demand_.areas[static_cast<std::size_t>(stop.area)];
    stop.lane = area.lane;
    stop.start_pos = area.start_pos;
    stop.end_pos = area.end_pos;
    return true;
}

std::optional<StopDescription> SumoStopReader::read(const Element& element) {
    if (is_unsupported(element, report_)) return std::nullopt;
    check_one_place(element);
    StopDescription stop;
    if (!read_place(element, stop)) {
        stop.any_lane = names_edge(element);
        const std::string_view id = stop.any_lane ? "" : element.not_empty("lane");
        if (!stop.any_lane && lane_named(id, false) < 0 && lane_named(id.substr(0, id.rfind('_')), true) >= 0) {
            report_.unsupported(element, "<stop> on a lane of the opposite direction");
            return std::nullopt;
        }
        const Stretch stretch = read_stretch(element, shortest);
        if (network_.edges[network_.lanes[stretch.lane].edge].function == EdgeFunction::internal) {
            report_.unsupported(element, "<stop> inside a junction");
            return std::nullopt;
        }
        stop.lane = stretch.lane;
        stop.start_pos = stretch.start;
        stop.end_pos = stretch.end;
    }
    check_lane(element, stop.lane);
    stop.duration = element.time_or("duration", -1);
    stop.until = element.time_or("until", -1);
    stop.speed = static_cast<float>(element.number_or("speed", 0, Range::not_negative));
    if (stop.duration < 0 && stop.until < 0 && stop.speed <= 0) {  // until somebody gets in
        report_.unsupported(element, "<stop> without \"duration\" and \"until\"");
        return std::nullopt;
    }
    stop.parking = element.text_or("parking", "") == "opportunistic" || element.flag_or("parking", false);
    return stop;
}

}  // namespace jamiton
