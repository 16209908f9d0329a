// The decide phase: who may pass the connections ahead, by the approaches that plan has registered.
#pragma once

#include "engine/core/parallel.hpp"
#include "engine/state.hpp"

namespace jamiton {

// Lowers plans[i].speed of each vehicle that has to wait and sets the connection it must not pass. Reads `now` and
// approaches.
void decide(const Exec& exec, const World& world, Plan* plans);

}  // namespace jamiton
