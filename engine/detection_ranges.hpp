// Ranges before a signal in which vehicles are seen, and how much time each of them has lost there.
#pragma once

#include "engine/core/parallel.hpp"
#include "engine/signal_plan.hpp"
#include "engine/state.hpp"

namespace jamiton {

struct RangeState {
    int vehicles = 0;         // in it
    float soonest = no_time;  // s that the nearest with more than the range's least loss needs to the line at best

    static constexpr float no_time = 3e38f;
};

// What was seen of a vehicle: only good in the step after, and for the same range.
struct SeenVehicle {
    float loss = 0;  // s, since it came into the range
    int step = -2;
    int range = -1;
};

// Reads the state that the step before this one has left.
void read_ranges(const Exec& exec, const World& world, const SignalPlan& plan, Array<RangeState>& states,
                 Array<SeenVehicle>& seen);

}  // namespace jamiton
