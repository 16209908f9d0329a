// Demand as the engine uses it: one Trip per vehicle in order of planned departure, and routes as chains of stretches.
//
// A *stretch* is an edge of some route together with what lies ahead on that route within a horizon: it knows for each
// lane of the edge the connection to take and how far one gets without changing lanes. Routes that agree within the
// horizon share their stretches, so that memory does not grow with the number of vehicles.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/array.hpp"
#include "engine/demand_description.hpp"
#include "engine/network.hpp"
#include "engine/record_options.hpp"
#include "engine/routing_options.hpp"
#include "engine/vehicle_type.hpp"

namespace jamiton {

// One lane of a stretch, seen by a vehicle that follows the route (SUMO's "best lanes"). What holds for the stretch as
// a whole is there for each lane, so that one record says all about the end of a lane.
struct LaneChoice {  // 16 bytes
    int connection =
        -1;  // to the next edge of the route, onto the best of its lanes; -1: none (last edge, or wrong lane)
    float drivable = 0;  // m from the start of this lane to where this lane and its continuations stop following the
                         // route, junctions not counted
    std::int8_t best_offset = 0;   // lanes to the nearest of the best lanes (positive: to the left), 0 if this is one:
                                   // those with the longest way and, of these, the fewest changes on later edges
    std::uint8_t allowed : 1 = 1;  // the vehicle's class may use this lane
    std::uint8_t last : 1 = 0;     // the route ends on this edge
    std::uint8_t to_stop : 1 = 0;  // a planned stop is made on this edge: the next stretch is the same edge with the
                                   // way on
    std::uint8_t reserved : 5 = 0;
    std::uint16_t roundabout = 0;  // dm to drive from this lane in the roundabout that it is in or comes to next,
                                   // junctions included; 0 where that is at most one edge of it
    int edge = -1;
    bool operator==(const LaneChoice&) const = default;
};

// What is known of a vehicle before it enters. Read-only during a run but for the route. 40 bytes.
struct Trip {
    std::uint32_t route_begin = 0;              // position in Demand::route_pool of the depart edge
    std::int32_t depart_step = 0;               // first step at whose end it may enter, on_call: at no time of its own
    std::uint32_t stop_begin = 0;               // stops [stop_begin, stop_begin + stop_count) of Demand::stops
    float depart_pos = 0, depart_speed = 0;     // m, m/s where given
    float arrival_pos = 0, arrival_speed = -1;  // m from lane start on the last edge; m/s, -1 none
    std::uint16_t type = 0;                     // index into Demand::types
    std::uint16_t speed_factor = 0;             // in 1 / factor_unit
    std::uint16_t route_length = 0;             // stretches: edges up to that of arrival, those of stops twice
    DepartLane depart_lane = DepartLane::first;
    std::uint8_t depart_lane_index = 0;
    DepartPos depart_pos_kind = DepartPos::base;
    DepartSpeed depart_speed_kind = DepartSpeed::value;
    std::int8_t arrival_lane = -1;  // index on the last edge, -1 any
    std::uint8_t stop_count = 0;

    static constexpr float factor_unit = 16384;
    static constexpr std::int32_t on_call = 0x7FFFFFFF;
};

// A planned stop on a lane.
struct Stop {                    // 40 bytes
    std::uint32_t route_at = 0;  // position of its edge in Demand::route_pool, with the way to it
    int lane = -1;
    float start = 0, end = 0;   // m from lane start: the front stands between them
    std::int32_t duration = 0;  // steps
    std::int32_t until = -1;    // step before which it does not go on, -1 none
    int place = -1;             // stopping place that is shared, -1: anywhere on the lane
    int area = -1;              // index into Demand::areas, -1 none
    float speed = 0;            // m/s at which it is passed: a waypoint; 0 a stop
    std::uint8_t parking = 0;   // beside the lane
};

struct SpeedChange {
    std::int32_t step = 0;
    int lane = -1;
    float speed = -1;  // m/s, negative: the lane's own
};

// For vehicles that enter an edge in steps [begin, end): another type, or none.
struct EntryRule {
    int edge = -1;
    std::int32_t begin = 0, end = 0;
    int type = -1;  // index into Demand::types, -1: the vehicle is taken off
};

// The number of vehicles that come onto an edge, or one lane of it, in steps [begin, end).
struct Calibration {
    int edge = -1, lane = -1;  // lane -1: any of the edge
    std::int32_t begin = 0, end = 0;
    std::int32_t period = 1;  // steps between the calls in which vehicles are added and taken off
    double rate = 0;          // vehicles per s
    std::int64_t wanted = 0;  // vehicles in all
    std::uint32_t first_spare = 0;
    int spare_count = 0;  // trips [first_spare, first_spare + spare_count) enter where too few come
};

struct ParkingArea {
    int lot_begin = 0, lot_count = 0;  // in Demand::lot_end
    std::uint8_t on_road = 0;          // its lots lie on the lane
    std::uint8_t reserved[3] = {};
};

struct DemandOptions {
    std::uint64_t seed = 42;
    double begin = 0, end = -1, step = 1;  // s; end -1: until nobody is left
    double scale = 1;                      // every vehicle and flow this often (SUMO's --scale)
    RecordOptions record = {};
    bool extrapolate_depart_pos = false;  // who enters late starts as far on as it would have come
    std::string scale_suffix = ".";       // between the id of a vehicle and the number of its copy
    double default_speed_deviation = -1;  // replaces the class default spread (--default.speeddev), -1: keep
    RoutingOptions routing = {};
    double max_depart_delay = -1;      // s, -1 none
    bool ignore_route_errors = false;  // drop or cut unconnected routes with a warning
    double random_depart_offset = 0;   // s
};

// Vehicles whose route is found again in the run, by the travel times at their departure and under way.
struct OpenRoutes {
    RoutingOptions options;
    std::vector<std::uint32_t> trips;            // ascending
    std::vector<std::uint32_t> via_begin = {0};  // the n-th of them goes over via[via_begin[n]] up to via_begin[n + 1]
    std::vector<int> via;                        // edges, first and last included, or zones (zone.hpp)
    std::vector<std::int32_t> period;            // steps under way, 0: at departure only
};

struct LaneClosure {
    int lane = -1;
    std::int32_t begin = 0, end = 0;  // steps
    Permissions closed = 0;           // to these classes
};

// Sends vehicles that enter its edges another way. The first interval that holds in a step counts.
struct Rerouter {
    struct Interval {
        std::int32_t begin = 0, end = 0;  // steps
        std::vector<int> closed;          // edges
        Distribution destinations;        // edges
        Distribution routes;              // indices into rerouter_routes
    };
    std::vector<int> edges;
    double probability = 1;
    std::vector<std::string> types;  // ids, empty: all
    std::vector<Interval> intervals;
};

struct Demand {
    Array<Trip> trips;                // sorted by planned departure, then file order; those of calibrators last
    Array<std::uint32_t> route_pool;  // per edge of each route: where the lanes of its stretch begin in `choices`
    Array<LaneChoice> choices;        // of each stretch, from the right
    Array<Stop> stops;                // of each vehicle in order of its way
    int place_count = 0;              // stopping places that are shared
    std::vector<SpeedChange> speed_changes;
    Array<EntryRule> entry_rules;
    std::vector<Calibration> calibrations;
    Array<ParkingArea> areas;
    Array<float> lot_end;             // m from lane start, where the front stands
    std::int32_t waiting_limit = -1;  // steps that a vehicle waits for entry before it is dropped, -1 for ever
    Array<float> late;                // s per trip from its planned departure to the step of it; empty: its
                                      // place of departure does not depend on that
    std::vector<Zone> zones;
    OpenRoutes open_routes;
    std::vector<std::uint32_t> roaming;  // trips whose first edge is known at departure only, ascending
    std::vector<Rerouter> rerouters;
    std::vector<std::vector<int>> rerouter_routes;  // edges
    std::vector<LaneClosure> lane_closures;
    std::vector<VehicleType> types;
    std::vector<std::string> ids;       // per trip
    std::vector<double> planned;        // per trip: planned departure, s
    std::vector<bool> recorded;         // per trip: it is counted
    std::vector<std::string> warnings;  // one line each: vehicles dropped (before begin, no route), names included

    const LaneChoice& stretch(std::uint32_t route_at) const { return choices[route_pool[route_at]]; }
};

// Expands flows, draws types and speed factors (Philox of seed and vehicle number), routes trips by free-flow time
// (where travel times are measured in the run: for a driver of the common speed, to be routed again at departure),
// cuts arrival and departure positions to the lanes, sorts and interns. Throws InputError naming file, line and vehicle
// for a route that is not connected for the vehicle's class, a lane index or position or speed that is not allowed, and
// for a flow without end in a run without end.
Demand build_demand(const DemandDescription& description, const NetworkDescription& names, const Network& network,
                    const DemandOptions& options);

}  // namespace jamiton
