#include "data/sumo_stop.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace jamiton {

namespace {

// Set to true with the engine's first version that stops on lanes.
constexpr bool lane_stops_are_simulated = true;

constexpr std::string_view places[] = {"busStop",     "trainStop",           "containerStop", "chargingStation",
                                       "parkingArea", "overheadWireSegment", "edge"};
constexpr std::string_view conditions[] = {"triggered", "containerTriggered",
                                           "expected",  "expectedContainers",
                                           "permitted", "join",
                                           "split",     "speed",
                                           "onDemand",  "jump",
                                           "posLat",    "extension"};
constexpr double shortest = 0.2;  // m, of the stretch a vehicle may stand on

bool is_unsupported(const Element& element, UnsupportedReport& report) {
    for (std::string_view place : places) {
        if (!element.find(place)) continue;
        report.unsupported(element, fmt::format("<stop> with \"{}\"", place));
        return true;
    }
    for (std::string_view condition : conditions) {
        const auto value = element.find(condition);
        if (!value || parse_flag(*value) == false) continue;
        report.unsupported(element, fmt::format("<stop> with \"{}\"", condition));
        return true;
    }
    return false;
}

// Negative positions count from the lane end.
double position(const Element& element, std::string_view attribute, double fallback, double length, bool friendly) {
    double value = element.number_or(attribute, fallback);
    if (value < 0) value += length;
    if (friendly) value = std::clamp(value, 0.0, length);
    if (value < 0 || value > length) {
        element.fail_value(attribute, fmt::format("a position on the lane, which is {:.2f} m long", length));
    }
    return value;
}

}  // namespace

std::optional<StopDescription> read_stop(const Element& element, const NetworkDescription& network,
                                         const IdMap& lane_ids, UnsupportedReport& report) {
    if (is_unsupported(element, report)) return std::nullopt;
    StopDescription stop;
    const std::string_view id = element.not_empty("lane");
    stop.lane = lane_ids.find(id);
    if (stop.lane < 0 && lane_ids.find(std::string(id.substr(0, id.rfind('_'))) + "_0") >= 0) {
        report.unsupported(element, "<stop> on a lane of the opposite direction");
        return std::nullopt;
    }
    if (!lane_stops_are_simulated) report.unsupported(element, "<stop>");
    if (stop.lane < 0) element.fail(fmt::format("attribute \"lane\" names the unknown lane {}", quoted(id)));
    const double length = network.lanes[stop.lane].length;
    const bool friendly = element.flag_or("friendlyPos", false);
    const double end = position(element, "endPos", length, length, friendly);
    const double start = position(element, "startPos", std::max(0.0, end - shortest), length, friendly);
    if (start > end) element.fail("has its startPos behind its endPos");
    stop.start_pos = static_cast<float>(start);
    stop.end_pos = static_cast<float>(end);
    stop.duration = element.time_or("duration", -1);
    stop.until = element.time_or("until", -1);
    if (stop.duration < 0 && stop.until < 0) element.fail("needs \"duration\" or \"until\"");
    stop.parking = element.text_or("parking", "") == "opportunistic" || element.flag_or("parking", false);
    return stop;
}

}  // namespace jamiton
