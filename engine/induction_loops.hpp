// Induction loops: whether a vehicle stands over one, and when the last one left it.
#pragma once

#include "engine/core/parallel.hpp"
#include "engine/signal_plan.hpp"
#include "engine/state.hpp"

namespace jamiton {

struct LoopState {
    std::int64_t left = 0;      // us: when the back of the last vehicle left it
    std::int64_t served = 0;    // us: when its green was last looked at
    std::int64_t occupied = 0;  // 1: a vehicle stands over it

    // us since somebody was on it.
    HD std::int64_t gap(std::int64_t now) const { return occupied ? 0 : now - left; }
};

// Reads the state that the step before `now` (us) has left.
void read_loops(const Exec& exec, const World& world, const Array<Loop>& loops, Array<LoopState>& states,
                std::int64_t now);

}  // namespace jamiton
