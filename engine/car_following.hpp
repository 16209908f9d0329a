// The plan phase: from the finished state, what speed may each vehicle have, and which connections is it heading for?
#pragma once

#include "engine/core/parallel.hpp"
#include "engine/state.hpp"

namespace jamiton {

// Fills plans[i] for each vehicle and registers approaches. Reads `now`, tails and signal states.
void plan(const Exec& exec, const World& world, Plan* plans);

}  // namespace jamiton
