// Writes a network as SUMO's .net.xml, packed when the name ends with .gz.
#pragma once

#include <string>
#include <string_view>

#include "engine/network_description.hpp"

namespace jamiton {

void write_sumo_network(const NetworkDescription& network, const std::string& path);

std::string_view name_of(JunctionType type);  // SUMO's word

struct Bounds {
    float min_x = 0, min_y = 0, max_x = 0, max_y = 0;  // m
};

Bounds bounds_of(const NetworkDescription& network);  // of lanes and junctions

}  // namespace jamiton
