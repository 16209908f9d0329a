// The move phase: final speed, new position, lanes passed, arrival.
#pragma once

#include "engine/core/parallel.hpp"
#include "engine/state.hpp"

namespace jamiton {

// Moves every vehicle in place: kinematics, attributes and memory of world.now are rewritten, lane = gone for those who
// arrive. The lane order is stale afterwards. Trip results get waiting, stops and, on arrival, the trip's figures.
void move(const Exec& exec, const World& world, const Plan* plans);

// Vehicle i, which has moved in this step, arrives where it is.
void end_trip(const World& world, int i);

// Vehicle i is removed (World::taken_off counts it); its lane is gone.
void take_off(const World& world, int i);

}  // namespace jamiton
