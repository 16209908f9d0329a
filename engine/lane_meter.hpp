// Sums per lane since an interval began, and the means that SUMO makes of them. All sums are integers, so that they do
// not depend on threads or ranks.
#pragma once

#include <vector>

#include "engine/core/parallel.hpp"
#include "engine/observation.hpp"
#include "engine/passages.hpp"

namespace jamiton {

struct LaneSums {
    std::int64_t time = 0;       // 1/65536 s in which some part of a vehicle was on the lane
    std::int64_t way = 0;        // 1/65536 m driven meanwhile
    std::int64_t tail_time = 0;  // of these, with the front already beyond the lane
    std::int64_t tail_way = 0;
    std::int64_t length = 0;     // 1/1024 m s: lengths of the vehicles times those times
    std::int64_t covered = 0;    // 1/1024 m s under vehicles
    std::int64_t time_loss = 0;  // 1/65536 s
    std::int32_t waiting = 0;    // 1/64 s at 0.1 m/s or less
    std::int32_t entered = 0, left = 0, changed_from = 0, changed_to = 0, reserved = 0;
};

class LaneMeter {
  public:
    // types: one flag per vehicle type that counts; empty: all.
    LaneMeter(const Network& network, const std::vector<std::uint8_t>& types);

    void add_passages(const Exec& exec, const World& world, const PlaceBefore* before);
    void add_changes(const Exec& exec, const LaneMove* moves, int count);
    // The interval of the steps up to this one (its number), over edges or lanes; a new one begins.
    EdgeInterval take(const Exec& exec, const World& world, bool of_lanes, double begin, double end, std::int64_t step);
    std::size_t bytes() const { return sums_.bytes(); }

  private:
    const std::uint8_t* types() const { return types_.empty() ? nullptr : types_.data(); }

    Array<LaneSums> sums_;
    Array<int> departed_, arrived_;  // per lane, counted when an interval ends
    Array<std::uint8_t> types_;
    std::int64_t first_step_ = 0;  // of the interval
};

}  // namespace jamiton
