// Writes demand as SUMO's .rou.xml, packed when the name ends with .gz: types, routes, then vehicles and trips by
// departure.
#pragma once

#include <string>

#include "engine/demand_description.hpp"
#include "engine/network_description.hpp"

namespace jamiton {

// What generators make: no flows, no distributions, no stops.
void write_sumo_demand(const DemandDescription& demand, const NetworkDescription& network, const std::string& path);

}  // namespace jamiton
