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
    Rerouting(const NetworkDescription& names, const Network& network, const Demand& demand, double step);
    Rerouting(const Rerouting&) = delete;
    Rerouting& operator=(const Rerouting&) = delete;

    // New routes for the trips that are due in this step, before they enter, and for those that wait since long. The
    // route pool of the demand may grow.
    void route_departures(const Exec& exec, std::int32_t step, Demand& demand, TripResult* results);
    // Takes the state at the end of a step into account.
    void observe(const Exec& exec, const World& world) { speeds_.add_step(exec, world); }
    std::size_t bytes() const { return speeds_.bytes(); }

  private:
    struct Query {
        std::uint32_t vehicle;
        std::span<const int> via;
        const ClassGraph* graph;
        Driving driving;
        std::vector<int> found;
    };

    void collect(std::int32_t step, const Demand& demand, const TripResult* results);
    void add_query(std::size_t open, const Demand& demand);
    void search(const Exec& exec);
    bool replace_route(const Query& query, Demand& demand);
    ArrivalPlace arrival_of(const Trip& trip, const VehicleType& type, int edge) const;

    const Network& network_;
    std::vector<Permissions> permitted_;
    ClassGraphs graphs_;
    StretchPool pool_;
    EdgeSpeeds speeds_;
    std::vector<Router> routers_;                             // one per thread
    std::int32_t pre_period_;                                 // steps, 0 none
    std::size_t next_ = 0;                                    // of the open routes
    std::map<std::int32_t, std::vector<std::size_t>> again_;  // open routes to look at again, by step
    std::vector<Query> queries_;                              // of this step
    std::vector<std::size_t> stop_places_;
};

}  // namespace jamiton
