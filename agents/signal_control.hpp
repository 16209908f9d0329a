// When a signal that reacts to traffic ends a phase. Times in ms since the phase began, unless said.
#pragma once

#include <cstdint>

#include "engine/core/hd.hpp"

namespace jamiton {

// A phase ends after its longest time, and before that from its shortest time on when nobody needs it any longer.
HD inline bool phase_ends(std::int64_t elapsed, std::int64_t least, std::int64_t most, bool needed) {
    return elapsed >= most || (elapsed >= least && !needed);
}

// Max pressure (Varaiya 2013, with counts of vehicles in the place of queues): vehicles that wait before a movement
// less those that are where it leads to.
HD inline int movement_pressure(int vehicles_before, int vehicles_beyond) { return vehicles_before - vehicles_beyond; }

}  // namespace jamiton
