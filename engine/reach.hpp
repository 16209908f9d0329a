// How far a vehicle on a lane may look: the model clamps every look-ahead to it, so that a part of the network with a
// margin of this size around it behaves as the whole.
#pragma once

#include "engine/network.hpp"
#include "engine/vehicle_type.hpp"

namespace jamiton {

// Sets Lane::reach from the fastest speed possible there and the weakest braking among the types.
void set_reach(Network& network, const std::vector<VehicleType>& types, double step);

}  // namespace jamiton
