// The pool of routes: interns equal routes, and equal stretches among different ones.
//
// What a stretch holds depends on the edges of its *window*: those that SUMO's drivers think of on the first one. Of
// the last edge of the window, if the route goes on there, all lanes that the class may use count as equal. Routes that
// say the same about the lanes of an edge share the stretch, whatever comes later.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/demand.hpp"
#include "engine/network.hpp"

namespace jamiton {

// Where a leg of a route ends: the arrival, or a planned stop after which the route goes on from the same edge.
struct ArrivalPlace {
    int lane = -1;        // index on the edge, -1 any
    float position = -1;  // m from lane start, -1 the lane end
    bool is_stop = false;
    bool operator==(const ArrivalPlace&) const = default;
};

class StretchPool {
  public:
    struct Range {
        std::uint32_t begin = 0, end = 0;
    };

    StretchPool(const Network& network, const std::vector<Permissions>& permitted);

    // A route, or its part up to a stop.
    struct Leg {
        std::span<const int> edges;
        ArrivalPlace end;
    };

    // Where the stretches of this route lie: leg by leg, so that the edge of a stop is there twice, once
    // with the way to the stop and once with the way from it.
    Range intern(std::span<const Leg> legs, VehicleClass c);
    Range intern(std::span<const int> edges, VehicleClass c, ArrivalPlace arrival) {
        const Leg leg{edges, arrival};
        return intern(std::span(&leg, 1), c);
    }

    // The same for a route with stops on these places of it, whose `route_at` it sets.
    Range intern(std::span<const int> edges, VehicleClass c, ArrivalPlace arrival, std::span<Stop> stops,
                 std::span<const std::size_t> places);

    void move_into(Demand& demand);
    // For a pool that goes on behind what the demand holds, on which it does not build: places count from there, and
    // append_to() adds what is new since the last time. Arrays of the demand grow by more than is needed.
    void begin_behind(const Demand& demand);
    void append_to(Demand& demand);
    // The stretches made are no longer right for routes to come: the permissions are others.
    void forget() {
        route_of_hash_.clear();
        stretch_of_hash_.clear();
    }

  private:
    struct Sizes {
        std::size_t pool = 0, choices = 0;
    };
    struct Route {
        Range range;  // in pool_
        VehicleClass vehicle_class;
        ArrivalPlace arrival;
        std::vector<ArrivalPlace> stops;  // at the ends of all legs but the last
        int next;                         // with the same hash, -1 none
    };
    // The edges that a stretch depends on.
    struct Window {
        std::span<const int> edges;
        bool ends = false;  // the leg ends on the last one
        VehicleClass vehicle_class = VehicleClass::passenger;
        ArrivalPlace arrival;  // where it ends
    };
    // What is known of a lane while going back from the end of a window.
    struct LaneAhead {
        LaneChoice choice;
        float beyond = -1;   // m that the lane it leads to leads further
        int later = 0;       // lanes to change on the edges that follow
        int priority = -1;   // of its connection: 1 the right of way, 0 none, -1 no connection
        float ring_way = 0;  // m to drive in the roundabout that it is in or comes to next
        int ring_edges = 0;  // of that roundabout
    };

    Range place_of(const Route& route) const {
        const auto base = static_cast<std::uint32_t>(base_.pool);
        return {route.range.begin + base, route.range.end + base};
    }
    int find_route(std::span<const Leg> legs, VehicleClass c, std::uint64_t hash) const;
    bool is_made_of(const Route& route, std::span<const Leg> legs) const;
    void intern_leg(const Leg& leg, VehicleClass c, std::uint32_t begin);
    Window window_at(std::span<const int> edges, VehicleClass c) const;
    std::uint32_t intern_stretch();
    void choose_lanes(const Window& window);
    void set_last_edge(int edge, const Window& window);
    void step_back(int edge, int next_edge, VehicleClass c);
    LaneAhead best_continuation(int lane, int next_edge, VehicleClass c) const;
    void count_a_change_as_made();
    void set_offsets();
    void leave_minor_connections(const Edge& edge);
    void measure_ring(int edge, int next_edge);

    const Network& network_;
    const std::vector<Permissions>& permitted_;
    const LaneChoice& stretch(std::uint32_t s) const { return choices_[choice_begin_[s]]; }
    std::vector<std::uint32_t> pool_;  // stretches
    std::vector<LaneChoice> choices_;
    std::vector<std::uint32_t> choice_begin_;  // per stretch
    std::vector<int> same_hash_;               // per stretch: another one, -1 none
    std::vector<Route> routes_;
    std::unordered_map<std::uint64_t, int> route_of_hash_, stretch_of_hash_;  // looked up only, never walked through
    std::vector<LaneAhead> ahead_, here_;
    std::vector<LaneChoice> chosen_;
    std::vector<float> braking_way_;  // m, per class
    Sizes base_, appended_;           // what lies before in the demand; of this pool, what is there already
};

// Adds to `places`, which has those of the first stops, the places in a route of the others, each the first that is not
// before the stop ahead of it nor before `from`. False: the route does not reach the stop after those in `places`.
bool find_stop_places(const Network& network, std::span<const int> edges, std::span<const Stop> stops,
                      std::vector<std::size_t>& places, std::size_t from = 0);

}  // namespace jamiton
