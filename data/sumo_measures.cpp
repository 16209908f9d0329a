#include "data/sumo_measures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/sumo_words.hpp"

namespace jamiton {
namespace {

constexpr std::string_view separators = ", \t\r\n";

// s, -1: the whole run. "freq" is the old name.
double read_period(const Element& element) {
    const std::string_view name = element.find("period") ? "period" : "freq";
    if (!element.find(name)) return -1;
    const double period = element.time(name);
    if (period == -1 || period > 1e12) return -1;
    if (period <= 0) element.fail_value(name, "a time above 0");
    return period;
}

std::vector<std::string> read_words(const Element& element, std::string_view attribute) {
    std::vector<std::string> words;
    for_each_word(element.text_or(attribute, ""), separators, [&](std::string_view word) { words.emplace_back(word); });
    return words;
}

}  // namespace

bool SumoMeasureReader::start(const Element& element) {
    const std::string_view name = element.name();
    if (name == "inductionLoop" || name == "e1Detector") {
        add_loop(element);
    } else if (name == "laneAreaDetector" || name == "e2Detector") {
        add_area(element);
    } else if (name == "entryExitDetector" || name == "e3Detector") {
        start_gates(element);
    } else if (name == "detEntry" || name == "detExit") {
        add_gate(element);
    } else if (name == "edgeData" || name == "laneData") {
        add_mean_data(element);
    } else {
        return false;
    }
    return true;
}

int SumoMeasureReader::lane_named(const Element& element, std::string_view attribute, std::string_view id) {
    if (lane_ids_.size() == 0) {
        for (const LaneDescription& lane : network_.lanes) lane_ids_.insert(lane.id);
    }
    const int lane = lane_ids_.find(id);
    if (lane < 0) element.fail(fmt::format("attribute \"{}\" names the unknown lane {}", attribute, quoted(id)));
    return lane;
}

// What changes the output, but nothing that is measured here.
void SumoMeasureReader::warn_of(const Element& element, std::initializer_list<std::string_view> attributes) {
    for (std::string_view attribute : attributes) {
        if (element.find(attribute))
            report_.ignored(element, fmt::format("attribute {} of <{}>", quoted(attribute), element.name()));
    }
}

DetectorDescription SumoMeasureReader::read_detector(const Element& element, DetectorKind kind, IdMap& ids) {
    DetectorDescription d;
    d.kind = kind;
    d.id = element.not_empty("id");
    if (!ids.insert(d.id).second) element.fail("is there twice");
    d.file = element.text_or("file", "");
    d.period = read_period(element);
    d.types = read_words(element, "vTypes");
    d.time_threshold = element.time_or("timeThreshold", 1);
    d.speed_threshold = element.number_or("speedThreshold", d.speed_threshold, Range::not_negative);
    d.jam_threshold = element.number_or("jamThreshold", d.jam_threshold, Range::not_negative);
    return d;
}

void SumoMeasureReader::add_loop(const Element& element) {
    DetectorDescription d = read_detector(element, DetectorKind::loop, loop_ids_);
    warn_of(element, {"length", "detectPersons"});
    const int lane = lane_named(element, "lane", element.not_empty("lane"));
    element.number("pos");  // has to be there
    const auto at = static_cast<float>(
        read_position(element, "pos", 0, double{length(lane)}, element.flag_or("friendlyPos", false)));
    d.parts.push_back({lane, at, at});
    demand_.measures.detectors.push_back(std::move(d));
}

void SumoMeasureReader::add_area(const Element& element) {
    DetectorDescription d = read_detector(element, DetectorKind::area, area_ids_);
    warn_of(element, {"tl", "to", "detectPersons"});
    if (element.find("lanes")) {
        read_lane_parts(element, d.parts);
    } else {
        read_stretch(element, d.parts);
    }
    demand_.measures.detectors.push_back(std::move(d));
}

// On one lane: two of pos, endPos and length say where; what is not said reaches to the end of the lane.
void SumoMeasureReader::read_stretch(const Element& element, std::vector<DetectorPart>& parts) {
    const int lane = lane_named(element, "lane", element.not_empty("lane"));
    const bool friendly = element.flag_or("friendlyPos", false);
    const double whole = double{length(lane)};
    const double long_by = element.number_or("length", -1);
    if (element.find("length") && long_by <= 0) element.fail_value("length", "a number above 0");
    double begin = read_position(element, "pos", 0, whole, friendly);
    double end = read_position(element, "endPos", whole, whole, friendly);
    if (long_by > 0 && element.find("endPos") && !element.find("pos")) begin = end - long_by;
    if (long_by > 0 && !element.find("endPos")) end = begin + long_by;
    if (friendly) begin = std::max(begin, 0.0), end = std::min(end, whole);
    if (begin < 0 || end > whole + 0.1)
        element.fail_value("length", fmt::format("an area on the lane, which is {:.2f} m long", whole));
    if (begin >= end) element.fail("ends before it begins");
    parts.push_back({lane, static_cast<float>(begin), static_cast<float>(std::min(end, whole))});
}

// Lanes one behind the other, with those inside the junctions between.
void SumoMeasureReader::read_lane_parts(const Element& element, std::vector<DetectorPart>& parts) {
    for_each_word(element.not_empty("lanes"), separators, [&](std::string_view id) {
        const int lane = lane_named(element, "lanes", id);
        if (!parts.empty()) add_way(element, lane, parts);
        parts.push_back({lane, 0, length(lane)});
    });
    const bool friendly = element.flag_or("friendlyPos", false);
    parts.front().begin =
        static_cast<float>(read_position(element, "pos", 0, double{length(parts.front().lane)}, friendly));
    const double whole = double{length(parts.back().lane)};
    parts.back().end = static_cast<float>(read_position(element, "endPos", whole, whole, friendly));
    if (parts.front().begin >= parts.front().end || parts.back().begin >= parts.back().end)
        element.fail("ends before it begins");
}

// The internal lanes from the last part to this lane.
void SumoMeasureReader::add_way(const Element& element, int lane, std::vector<DetectorPart>& parts) {
    for (int from = parts.back().lane;;) {
        const auto next = std::ranges::find_if(network_.connections, [&](const ConnectionDescription& c) {
            return c.from_lane == from && c.to_lane == lane;
        });
        if (next == network_.connections.end()) {
            element.fail(fmt::format("attribute \"lanes\": no connection leads from {} to {}",
                                     quoted(network_.lanes[static_cast<std::size_t>(from)].id),
                                     quoted(network_.lanes[static_cast<std::size_t>(lane)].id)));
        }
        if (next->via_lane < 0) return;
        from = next->via_lane;
        parts.push_back({from, 0, length(from)});
    }
}

void SumoMeasureReader::start_gates(const Element& element) {
    DetectorDescription d = read_detector(element, DetectorKind::gates, gates_ids_);
    warn_of(element, {"detectPersons"});
    demand_.measures.detectors.push_back(std::move(d));
    gates_file_ = element.file();
    gates_line_ = element.line();
    gates_open_ = true;
}

void SumoMeasureReader::add_gate(const Element& element) {
    if (!gates_open_)
        element.fail(fmt::format("stands inside <{}>, expected an <entryExitDetector>", element.parent()));
    const int lane = lane_named(element, "lane", element.not_empty("lane"));
    element.number("pos");  // has to be there
    const auto at = static_cast<float>(
        read_position(element, "pos", 0, double{length(lane)}, element.flag_or("friendlyPos", false)));
    demand_.measures.detectors.back().parts.push_back({lane, at, at, element.name() == "detExit"});
}

void SumoMeasureReader::end(std::string_view element) {
    if (!gates_open_ || (element != "entryExitDetector" && element != "e3Detector")) return;
    gates_open_ = false;
    const DetectorDescription& d = demand_.measures.detectors.back();
    const auto exits = std::ranges::count_if(d.parts, [](const DetectorPart& part) { return part.exit; });
    if (exits == 0 || exits == std::ssize(d.parts))
        fail_at(gates_file_, gates_line_, element, d.id, "needs a <detEntry> and a <detExit>");
}

void SumoMeasureReader::add_mean_data(const Element& element) {
    MeanDataDescription d;
    d.of_lanes = element.name() == "laneData";
    d.id = element.not_empty("id");
    if (!(d.of_lanes ? lane_data_ids_ : edge_data_ids_).insert(d.id).second) element.fail("is there twice");
    const std::string_view type = element.text_or("type", "");
    if (!type.empty() && type != "traffic" && type != "performance")
        return report_.ignored(element, fmt::format("<{}> of the type {}", element.name(), quoted(type)));
    for (std::string_view attribute : {"trackVehicles", "aggregate"}) {
        if (element.flag_or(attribute, false))
            report_.unsupported(element, fmt::format("attribute {} of <{}>", quoted(attribute), element.name()));
    }
    warn_of(element, {"edgesFile", "writeAttributes", "detectPersons", "maxTraveltime", "speedThreshold"});
    d.file = element.text_or("file", "");
    d.begin = element.time_or("begin", 0);
    d.end = element.time_or("end", d.end);
    if (d.end < 0) d.end = 1e12;
    if (d.end <= d.begin) element.fail("ends before it begins");
    d.period = read_period(element);
    const std::string_view empty = element.text_or("excludeEmpty", "false");
    d.exclude_empty = empty != "defaults" && parse_flag(empty).value_or(false);
    d.with_internal = element.flag_or("withInternal", false);
    d.min_samples = element.number_or("minSamples", 0, Range::not_negative);
    d.types = read_words(element, "vTypes");
    if (edge_ids_.size() == 0) {
        for (const EdgeDescription& edge : network_.edges) edge_ids_.insert(edge.id);
    }
    for_each_word(element.text_or("edges", ""), separators, [&](std::string_view id) {
        const int edge = edge_ids_.find(id);
        if (edge < 0) element.fail(fmt::format("attribute \"edges\" names the unknown edge {}", quoted(id)));
        d.edges.push_back(edge);
    });
    demand_.measures.mean_data.push_back(std::move(d));
}

}  // namespace jamiton
