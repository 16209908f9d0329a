// SUMO's .net.xml, plain or gzip.
#pragma once

#include <string>

#include "data/unsupported.hpp"
#include "engine/network_description.hpp"

namespace jamiton {

NetworkDescription read_sumo_network(const std::string& path, UnsupportedReport& report);

}  // namespace jamiton
