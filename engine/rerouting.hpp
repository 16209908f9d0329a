// Routes that are found in the run: by the travel times measured there, or because a rerouter says so.
#pragma once

#include <map>
#include <vector>

#include "engine/core/parallel.hpp"
#include "engine/demand.hpp"
#include "engine/edge_speeds.hpp"
#include "engine/observation.hpp"
#include "engine/routing.hpp"
#include "engine/stretches.hpp"

namespace jamiton {

// Of a part of the route pool, those of stops once.
std::vector<int> edges_of(const Demand& demand, std::uint32_t begin, std::uint32_t end);

inline bool has_status(const World& world, std::uint32_t vehicle, TripStatus status) {
    return world.demand.results[vehicle].status == static_cast<std::uint8_t>(status);
}

// Where in the route pool vehicle i may still choose its way: on the edge it is on unless it is on a junction or too
// fast to stop before the next.
std::uint32_t origin_of(const World& world, const Demand& demand, int i);

// How a vehicle has come onto the edge of a rerouter.
enum class Met { under_way, on_entry };

class Rerouting {
  public:
    Rerouting(const NetworkDescription& names, const Network& network, const Demand& demand, double begin, double step);
    Rerouting(const Rerouting&) = delete;
    Rerouting& operator=(const Rerouting&) = delete;

    // New routes for the trips that are due in this step, before they enter, and for those that wait since long. The
    // route pool of the demand may grow.
    void route_departures(const Exec& exec, const World& world, Demand& demand);
    // New routes for those on the road whose time has come, from where they can still turn off. Before a step's plan.
    void route_under_way(const Exec& exec, const World& world, Demand& demand);
    // Closes and opens lanes whose time has come. Before a step's plan.
    void close_lanes(const Exec& exec, const World& world, Demand& demand, Network& network);
    // Where vehicles that come onto the edge of a rerouter are noted, nullptr: there are none.
    int* met(int vehicles);
    // Sends those noted since the last call where the rerouters want them. Of those under way some leave the road.
    void divert(const Exec& exec, const World& world, Demand& demand, Met met);
    // Takes the state at the end of a step into account.
    void observe(const Exec& exec, const World& world) {
        if (measures_) speeds_.add_step(exec, world);
    }
    std::size_t bytes() const { return speeds_.bytes() + met_.bytes(); }

  private:
    struct Query {
        std::uint32_t vehicle;
        std::vector<int> via;
        const ClassGraph* graph;
        Driving driving;
        std::vector<int> passed;   // edges of the route before via[0]
        std::vector<int> found;    // without a search where there is but one via
        bool first = false;        // its first
        bool measured = true;      // by travel times measured
        bool skips_stops = false;  // that are not on the way found
        std::span<const int> closed = {};
    };
    using Calendar = std::map<std::int32_t, std::vector<std::size_t>>;  // open routes by step

    void collect_departures(const World& world, const Demand& demand);
    void collect_under_way(const World& world, const Demand& demand);
    std::int32_t next_time(std::int32_t after, std::int32_t period) const;
    void add_query(std::size_t open, const Demand& demand);
    void add_query_under_way(std::size_t open, int index, const World& world, const Demand& demand);
    void add_query(std::uint32_t vehicle, const Demand& demand, std::vector<int> via, std::vector<int> passed);
    void search(const Exec& exec);
    void replace_routes(const World& world, Demand& demand);
    bool replace_route(const Query& query, const World& world, Demand& demand);
    bool find_stops(const Query& query, const std::vector<int>& edges, const World& world, Demand& demand);
    void set_route(std::uint32_t vehicle, const std::vector<int>& edges, const World& world, Demand& demand);
    void set_origin(Trip& trip, int edge, const Demand& demand);
    static void forget_via(std::uint32_t vehicle, int to, OpenRoutes& open);
    int arrival_lane(const Trip& trip, const VehicleType& type, int edge) const;
    ArrivalPlace arrival_of(const Trip& trip, const VehicleType& type, int edge) const;

    void meet(std::uint32_t vehicle, std::size_t rerouter, int index, const World& world, Demand& demand, Met met);
    void add_diversion(std::uint32_t vehicle, int index, const Rerouter::Interval& interval, double chance,
                       const World& world, Demand& demand, Met met);
    void set_permissions(std::int32_t step, const Demand& demand, Network& network);
    void keep_route(std::uint32_t vehicle, const World& world, Demand& demand);
    void go_to(Query& query, int edge, const Rerouter::Interval& interval, const Demand& demand) const;
    void follow(Query& query, const std::vector<int>& route) const;
    void end_at_once(int index, const World& world, Demand& demand, Met met);
    void set_destination(std::uint32_t vehicle, int from, int to, Demand& demand);

    const Network& network_;
    std::vector<Permissions> permitted_;
    ClassGraphs graphs_;
    StretchPool pool_;
    EdgeSpeeds speeds_;
    std::vector<Router> routers_;  // one per thread
    std::int32_t pre_period_;      // steps, 0 none
    std::int64_t phase_ =
        -1;                 // number of the first step since time 0, where all are routed at once; -1: each by itself
    std::size_t next_ = 0;  // of the open routes
    Calendar waiting_, under_way_;
    std::vector<Query> queries_;                          // of this step
    bool measures_;                                       // somebody goes by measured times
    Array<int> met_;                                      // count, then vehicles
    std::vector<std::int32_t> closure_steps_;             // still to come, the last one first: lanes close or open
    std::vector<Permissions> own_lanes_;                  // of the lane of each closure
    std::vector<Permissions> own_connections_;            // permitted_ while all lanes are open
    std::vector<std::pair<int, std::size_t>> rerouters_;  // by edge, as in the demand
    std::vector<std::size_t> stop_places_;
};

}  // namespace jamiton
