// The parts of `jamiton info` that know networks, demand and scenarios.
#pragma once

#include <string>

#include "data/unsupported.hpp"

namespace jamiton {

void print_network_info(const std::string& path, UnsupportedReport& report);
void print_demand_info(const std::string& path);  // needs no network, so it sees no mistake in routes
void print_scenario_info(const std::string& path, UnsupportedReport& report);

}  // namespace jamiton
