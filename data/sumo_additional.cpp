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
constexpr std::string_view silent[] = {"param",    "poly",   "poi",    "location", "timedEvent",     "tazs",
                                       "district", "access", "ptLine", "type",     "include-license"};

constexpr std::string_view output[] = {"instantInductionLoop", "meanData", "routeProbe", "vTypeProbe"};

constexpr std::string_view unsupported[] = {
    "person",       "personFlow",          "container",         "containerFlow",      "stop",
    "interval",     "parkingAreaReroute",  "stationReroute",    "viaProbReroute",     "railSignalConstraints",
    "overheadWire", "overheadWireSegment", "overheadWireClamp", "tractionSubstation", "include",
    "phase",        "e1Intersection"};

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

}  // namespace jamiton
