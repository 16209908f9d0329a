// Brings the vehicles back into lane order after some have moved to other lanes, entered or left.
#pragma once

#include "engine/core/parallel.hpp"
#include "engine/state.hpp"

namespace jamiton {

class Regroup {
  public:
    Regroup(int lane_count, int vehicle_count);

    // from.kinematics[i].lane says where vehicle i is now (gone: dropped); i >= from.count, up to `total`, are
    // newcomers appended behind. `to` receives all in order; where[] is brought up to date. Those who stay on a lane
    // keep their order, the others are placed by position, ties by vehicle number. Returns false when nothing had to be
    // done: `from` is in order already.
    bool run(const Exec& exec, VehicleState& from, int total, VehicleState& to, int* where);

    std::size_t vehicle_bytes() const {
        return stay_.bytes() + stay_rank_.bytes() + bucket_.bytes() + bucket_rank_.bytes();
    }

  private:
    Array<int> stay_, stay_rank_;       // per vehicle: 1 if it stays; stayers before it
    Array<int> bucket_begin_, cursor_;  // per lane: its movers
    Array<int> bucket_, bucket_rank_;   // movers, by lane, in any order
    Array<int> moved_;                  // one number: how many do not stay
};

// Sorts each lane by position, ties by vehicle number, where the order is broken. Rare: after collisions.
void sort_lanes(VehicleState& state, int* where);

}  // namespace jamiton
