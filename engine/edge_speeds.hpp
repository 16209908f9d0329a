// Travel times of all edges in the present traffic, for routes that are found in the run.
//
// The speed of a lane is the mean of the vehicles on it, of an empty one its limit. That of an edge is the mean of its
// lanes, each counting as many times as it has vehicles and at least once; then these are averaged over the last
// measurements, as if traffic had been free before the run (documented for SUMO and measured in SUMO 1.15).
#pragma once

#include "engine/core/parallel.hpp"
#include "engine/routing_options.hpp"
#include "engine/state.hpp"

namespace jamiton {

class EdgeSpeeds {
  public:
    EdgeSpeeds(const Network& network, const RoutingOptions& options, double step);
    // Takes the state at the end of a step into account where a measurement is due.
    void add_step(const Exec& exec, const World& world);
    // s per edge, 0 where it has been as in free flow. Valid after synchronize().
    const float* times() const { return times_.data(); }
    std::size_t bytes() const {
        return past_.bytes() + sums_.bytes() + speeds_.bytes() + free_.bytes() + times_.bytes();
    }

  private:
    int steps_between_;  // 0: free flow for ever
    int averaged_;
    float weight_;
    std::int64_t measured_ = 0;
    Array<std::uint16_t> past_;  // the last measurements: [measurement][edge], 1/512 m/s
    Array<std::uint32_t> sums_;  // of them, per edge
    Array<std::uint16_t> free_;  // per edge
    Array<float> speeds_;        // per edge, m/s, for the average by weight
    Array<float> times_;
};

}  // namespace jamiton
