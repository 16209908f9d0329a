#include "data/sumo_additional.hpp"

#include <algorithm>

namespace jamiton {

namespace {

constexpr std::string_view simulated[] = {"vType",         "vTypeDistribution",
                                          "route",         "routeDistribution",
                                          "vehicle",       "trip",
                                          "flow",          "tlLogic",
                                          "busStop",       "trainStop",
                                          "containerStop", "chargingStation",
                                          "parkingArea",   "space",
                                          "calibrator",    "variableSpeedSign",
                                          "vaporizer",     "WAUT",
                                          "wautSwitch",    "wautJunction",
                                          "e1Detector",    "inductionLoop",
                                          "e2Detector",    "laneAreaDetector",
                                          "e3Detector",    "entryExitDetector",
                                          "detEntry",      "detExit",
                                          "edgeData",      "laneData",
                                          "rerouter",      "taz",
                                          "tazSource",     "tazSink"};

// Districts matter only to vehicles that name them, which are reported themselves.
constexpr std::string_view silent[] = {"param",    "poly",   "poi",    "location", "timedEvent",
                                       "district", "access", "ptLine", "type",     "include-license"};

constexpr std::string_view output[] = {"instantInductionLoop", "meanData", "routeProbe", "vTypeProbe"};

constexpr std::string_view unsupported[] = {
    "person",       "personFlow",          "container",         "containerFlow",      "stop",
    "interval",     "parkingAreaReroute",  "stationReroute",    "viaProbReroute",     "railSignalConstraints",
    "overheadWire", "overheadWireSegment", "overheadWireClamp", "tractionSubstation", "include",
    "phase",        "e1Intersection"};

// What stands directly in the root of a file.
constexpr std::string_view outermost[] = {"vehicle",
                                          "trip",
                                          "vTypeDistribution",
                                          "tlLogic",
                                          "busStop",
                                          "trainStop",
                                          "containerStop",
                                          "chargingStation",
                                          "parkingArea",
                                          "calibrator",
                                          "vaporizer",
                                          "variableSpeedSign",
                                          "WAUT",
                                          "wautJunction",
                                          "e1Detector",
                                          "inductionLoop",
                                          "e2Detector",
                                          "laneAreaDetector",
                                          "e3Detector",
                                          "entryExitDetector",
                                          "edgeData",
                                          "laneData",
                                          "rerouter"};

struct Place {
    std::string_view name, parent;
};
constexpr Place inner[] = {{"tazSource", "taz"},
                           {"tazSink", "taz"},
                           {"wautSwitch", "WAUT"},
                           {"phase", "tlLogic"},
                           {"step", "variableSpeedSign"},
                           {"closingReroute", "interval"},
                           {"closingLaneReroute", "interval"},
                           {"destProbReroute", "interval"},
                           {"routeProbReroute", "interval"}};

template <std::size_t n>
bool holds(const std::string_view (&names)[n], std::string_view name) {
    return std::ranges::find(names, name) != std::end(names);
}

}  // namespace

ElementMeaning meaning_of_element(std::string_view name) {
    if (holds(simulated, name)) return ElementMeaning::simulated;
    if (holds(silent, name)) return ElementMeaning::silent;
    if (holds(output, name)) return ElementMeaning::output;
    return holds(unsupported, name) ? ElementMeaning::unsupported : ElementMeaning::unknown;
}

bool may_stand_in(std::string_view name, std::string_view parent) {
    if (name == "flow") return parent == "calibrator";
    if (name == "taz") return parent == "tazs";
    return !holds(outermost, name);
}

std::string_view parent_of(std::string_view name) {
    const auto place = std::ranges::find(inner, name, &Place::name);
    return place == std::end(inner) ? "" : place->parent;
}

}  // namespace jamiton
