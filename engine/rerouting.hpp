// Routes that are found in the run, by the travel times measured there.
#pragma once

#include <map>
#include <vector>

#include "engine/core/parallel.hpp"
#include "engine/demand.hpp"
#include "engine/edge_speeds.hpp"
#include "engine/routing.hpp"
#include "engine/stretches.hpp"

namespace jamiton {

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
    // Takes the state at the end of a step into account.
    void observe(const Exec& exec, const World& world) { speeds_.add_step(exec, world); }
    std::size_t bytes() const { return speeds_.bytes(); }

  private:
    struct Query {
        std::uint32_t vehicle;
        std::vector<int> via;
        const ClassGraph* graph;
        Driving driving;
        std::vector<int> passed;  // edges of the route before via[0]
        std::vector<int> found;
        bool first = false;  // its first
    };
    using Calendar = std::map<std::int32_t, std::vector<std::size_t>>;  // open routes by step

    void collect_departures(const World& world, const Demand& demand);
    void collect_under_way(const World& world, const Demand& demand);
    std::int32_t next_time(std::int32_t after, std::int32_t period) const;
    void add_query(std::size_t open, const Demand& demand);
    void add_query_under_way(std::size_t open, int index, const World& world, const Demand& demand);
    void add_query(std::uint32_t vehicle, const Demand& demand, std::vector<int> via, std::vector<int> passed);
    void search(const Exec& exec);
    bool replace_route(const Query& query, const World& world, Demand& demand);
    ArrivalPlace arrival_of(const Trip& trip, const VehicleType& type, int edge) const;

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
    std::vector<Query> queries_;  // of this step
    std::vector<std::size_t> stop_places_;
};

}  // namespace jamiton
