// Traffic demand as readers give it: types, routes, vehicles, trips and flows, with indices instead of ids.
// build_demand() (demand.hpp) draws types and speeds, expands flows, routes trips and sorts departures.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/measure_description.hpp"
#include "engine/network_description.hpp"
#include "engine/vehicle_type.hpp"
#include "engine/zone.hpp"

namespace jamiton {

// Weighted choice among types or routes. Weights need not sum to one.
struct Distribution {
    std::string id;
    std::vector<int> members;  // index into types or routes; a negative number -1-k is distribution k (nested)
    std::vector<double> weights;
};

// A stretch of a lane where vehicles stop one behind the other: busStop, trainStop, containerStop, chargingStation.
struct StopPlaceDescription {
    std::string id;
    int lane = -1;
    float start_pos = 0, end_pos = 0;  // m from lane start
};

struct ParkingAreaDescription {
    std::string id;
    int lane = -1;
    float start_pos = 0, end_pos = 0;  // m from lane start
    std::vector<float> lot_ends;       // m from lane start
    bool on_road = false;
};

// From this time on the lane has this limit; a negative one is its own.
struct SpeedChangeDescription {
    double time = 0;  // s
    int lane = -1;
    float speed = -1;  // m/s
};

// These classes may not use the lane in this time.
struct LaneClosureDescription {
    int lane = -1;
    double begin = 0, end = 0;  // s
    Permissions closed = 0;
};

// What happens to a vehicle that enters an edge in this time.
struct EntryRuleDescription {
    int edge = -1;
    double begin = 0, end = 0;  // s
    int type = -1;              // index into types: it becomes one of them; -1: it is taken off (a vaporizer)
};

constexpr int keep_destination = -1, end_trip_here = -2;  // instead of an edge

// What a rerouter does in a time to vehicles that enter its edges. Routes go before destinations, closed edges before
// both.
struct RerouterInterval {
    double begin = 0, end = 0;  // s
    std::vector<int> closed;    // edges that the way leaves out
    Distribution destinations;  // edges
    Distribution routes;        // indices into routes
};

struct RerouterDescription {
    std::vector<int> edges;
    double probability = 1;
    std::vector<std::string> types;  // ids of those that obey it, empty: all
    std::vector<RerouterInterval> intervals;
};

struct StopDescription {
    int lane = -1;
    bool any_lane = false;             // the rightmost one of its edge that the vehicle may use
    float start_pos = 0, end_pos = 0;  // m from lane start, both given
    double duration = -1, until = -1;  // s, -1 not set
    float speed = 0;                   // m/s at which it is passed (a waypoint), 0 a stop
    bool parking = false;              // beside the lane
    int place = -1, area = -1;         // index into places or areas, -1 none
    SourceRef source;
};

struct RouteDescription {
    std::string id;          // empty for a route inside a vehicle
    std::vector<int> edges;  // indices into NetworkDescription::edges
    std::vector<StopDescription> stops;
    SourceRef source;
};

enum class DepartLane : std::uint8_t { first, index, random, free, allowed, best, best_prob };
enum class DepartPos : std::uint8_t { base, position, random, free, random_free, last, stop, split_front };
enum class DepartSpeed : std::uint8_t { value, random, max, desired, speed_limit, last, avg };
enum class ArrivalLane : std::uint8_t { current, index, random, first };
enum class ArrivalPos : std::uint8_t { max, position, random, center };
enum class ArrivalSpeed : std::uint8_t { current, value };

constexpr int random_edge = -2;

// What a <vehicle>, <trip> or <flow> says, the id and times aside.
struct VehicleDescription {
    std::string id;
    int type = -1;         // index into types; -2-k is type distribution k; -1 the default type
    int route = -1;        // index into routes; -2-k is route distribution k; -1: to be routed from/via/to
    std::vector<int> via;  // to be routed: first = from, last = to, edges between; zones as in zone.hpp
    double depart = 0;     // s
    DepartLane depart_lane = DepartLane::first;
    int depart_lane_index = 0;
    DepartPos depart_pos = DepartPos::base;
    float depart_pos_value = 0;  // m; negative counts from the lane end
    DepartSpeed depart_speed = DepartSpeed::value;
    float depart_speed_value = 0;  // m/s
    int depart_edge = 0;           // position in the route where it enters, or random_edge
    int depart_on = -1;            // edge of the route where it enters instead, -1 none
    ArrivalLane arrival_lane = ArrivalLane::current;
    int arrival_lane_index = 0;
    ArrivalPos arrival_pos = ArrivalPos::max;
    float arrival_pos_value = 0;  // m; negative counts from the lane end
    ArrivalSpeed arrival_speed = ArrivalSpeed::current;
    float arrival_speed_value = 0;       // m/s
    int arrival_edge = -1;               // position in the route where it leaves, -1 the last, or random_edge
    std::vector<StopDescription> stops;  // besides those of the route
    ReroutingDevice rerouting;
    std::int8_t recorded = -1;  // as in VehicleType
    float speed_factor = -1;    // set for this vehicle, -1: drawn from the type
    std::string color;
    SourceRef source;
};

enum class FlowKind : std::uint8_t { number, period, probability, poisson };

struct FlowDescription {
    VehicleDescription vehicle;  // id is the flow's; vehicles are named id.0, id.1, ...
    FlowKind kind = FlowKind::number;
    double begin = 0, end = -1;  // s, end -1: the end of the simulation
    std::int64_t number = -1;    // how many, -1 no bound (with a period, probability or rate)
    double period = 0;           // s between departures (vehsPerHour is turned into one)
    double rate = 0;             // probability per second, or Poisson rate in 1/s
};

// How many vehicles come onto an edge, or one lane of it, in this time.
struct CalibrationDescription {
    int edge = -1, lane = -1;    // lane -1: any of the edge
    double begin = 0, end = 0;   // s
    double period = 0;           // s between the times at which vehicles are added and taken off, 0: each step
    double rate = 0;             // vehicles per s
    VehicleDescription vehicle;  // who is added where too few come: named id.0, id.1, ...
};

struct DemandDescription {
    std::vector<VehicleType> types;  // in file order; DEFAULT_VEHTYPE is not among them unless a file defines it
    std::vector<Distribution> type_distributions;
    std::vector<Zone> zones;
    std::vector<RouteDescription> routes;
    std::vector<Distribution> route_distributions;
    std::vector<VehicleDescription> vehicles;  // vehicles and trips, in file order
    std::vector<FlowDescription> flows;
    std::vector<StopPlaceDescription> places;
    std::vector<ParkingAreaDescription> areas;
    std::vector<SpeedChangeDescription> speed_changes;
    std::vector<EntryRuleDescription> entry_rules;
    std::vector<CalibrationDescription> calibrations;
    std::vector<RerouterDescription> rerouters;
    std::vector<LaneClosureDescription> lane_closures;
    MeasureDescription measures;
    std::vector<std::string> sources;  // file names for SourceRef
};

}  // namespace jamiton
