// <stop> inside a route or a vehicle.
#pragma once

#include "data/id_map.hpp"
#include "data/unsupported.hpp"
#include "engine/demand_description.hpp"
#include "engine/network_description.hpp"

namespace jamiton {

// A stop on a lane, with its positions from the lane start. Nothing where it names a place (a bus stop, a parking area,
// an edge) or waits for persons: those are not simulated and reported.
std::optional<StopDescription> read_stop(const Element& element, const NetworkDescription& network,
                                         const IdMap& lane_ids, UnsupportedReport& report);

}  // namespace jamiton
