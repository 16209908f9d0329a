// Who meets whom inside a junction, from the net's request tables and the shapes of internal lanes.
#pragma once

#include "engine/network.hpp"

namespace jamiton {

// Fills foes of connections and conflicts of internal lanes. Throws InputError when a request table does not fit its
// junction.
void add_junction_conflicts(const NetworkDescription& description, Network& network);

}  // namespace jamiton
