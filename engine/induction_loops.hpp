// Induction loops: whether a vehicle stands over one, and when the last one left it.
#pragma once

#include "engine/core/parallel.hpp"
#include "engine/signal_plan.hpp"
#include "engine/state.hpp"

namespace jamiton {

struct LoopState {
    std::int64_t left = 0;       // us: when the back of the last vehicle left it
    std::int64_t served = 0;     // us: when its green was last looked at
    std::int64_t since = 0;      // us: when the vehicle on it came
    std::int64_t occupant = -1;  // number of the vehicle on it, -1: free

    // us since somebody was on it who has not stood there too long.
    HD std::int64_t gap(std::int64_t now, std::int64_t patience) const {
        if (occupant >= 0) return now - since < patience ? 0 : now;
        return now - left;
    }
};

// Reads the state that the step before `now` (us) has left.
void read_loops(const Exec& exec, const World& world, const Array<Loop>& loops, Array<LoopState>& states,
                std::int64_t now);

}  // namespace jamiton
