// What a step shows of itself: counts, means, the state hash. All sums are integers, so that they do not depend on
// threads or ranks.
#pragma once

#include "engine/core/parallel.hpp"
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

}  // namespace jamiton
