// What a step shows of itself: counts, means, the state hash, sums per edge. All sums are integers, so that they do not
// depend on threads or ranks.
#pragma once

#include "engine/core/parallel.hpp"
#include "engine/observation.hpp"
#include "engine/state.hpp"

namespace jamiton {

// Over the vehicles on the road after one step.
struct StateSums {
    std::int64_t speed = 0;  // 1/1024 m/s
    std::int64_t halted = 0;
    std::uint64_t hash = 0;  // of every vehicle's number, lane, position and speed, now and in all steps before
};

class StepStatistics {
  public:
    StepStatistics() : sums_(1) {}
    StateSums run(const Exec& exec, const World& world);

  private:
    Array<Sums> sums_;
    std::uint64_t history_ = 0;  // hash of the steps so far
};

// Sums per edge since the interval began.
class EdgeStatistics {
  public:
    EdgeStatistics(const Network& network, int trip_count, double step);
    void add_step(const Exec& exec, const World& world);
    // The interval that ends now; a new one begins.
    EdgeInterval take(double begin, double end);
    std::size_t bytes() const { return sums_.bytes() + edge_of_vehicle_.bytes(); }

    struct EdgeSums {
        std::int64_t samples = 0;  // vehicle-steps
        std::int64_t speed = 0;    // 1/1024 m/s summed over them
        std::int64_t length = 0;   // 1/1024 m of vehicles
        std::int64_t waiting = 0;  // vehicle-steps at 0.1 m/s or less
        int entered = 0, left = 0;
    };

  private:
    Array<EdgeSums> sums_;
    Array<int> edge_of_vehicle_;  // last seen, -1 not on the road
    std::vector<double> edge_length_, lane_count_;
    double step_;
};

}  // namespace jamiton
