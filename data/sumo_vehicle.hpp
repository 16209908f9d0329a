// What <vehicle>, <trip> and <flow> have in common: how they depart and arrive; and the rates of a flow.
#pragma once

#include "data/unsupported.hpp"
#include "engine/demand_description.hpp"

namespace jamiton {

// All but id, type, route and stations on the way, which need the tables of SumoDemandReader.
void read_departure_and_arrival(const Element& element, VehicleDescription& vehicle, UnsupportedReport& report);

// begin: where a flow starts that does not say it, s.
void read_flow_rate(const Element& element, double begin, FlowDescription& flow);

}  // namespace jamiton
