// What a network is generated from: places and the roads between them.
#pragma once

#include <string>
#include <vector>

#include "data/line_strip.hpp"
#include "engine/network_description.hpp"

namespace jamiton {

struct PlannedJunction {
    std::string id;
    Position at;
    JunctionType type = JunctionType::priority;
    double signal_offset = 0;  // s
};

// One direction of a road.
struct PlannedRoad {
    std::string id;
    int from = -1, to = -1;  // junctions
    int lanes = 1;
    double speed = 13.89;  // m/s
    int priority = 1;      // the higher goes first at a priority junction
    LineStrip bends;       // between the two junctions
};

struct RoadPlan {
    std::vector<PlannedJunction> junctions;
    std::vector<PlannedRoad> roads;
    double lane_width = 3.2;   // m
    double corner_radius = 4;  // m, of kerbs
    double signal_cycle = 90;  // s
};

// Lanes, turns over internal lanes, right of way and signal programs for the plan. A junction may have any arms.
// Coordinates, lengths and speeds are rounded as the network writer writes them: a net in memory equals its file.
NetworkDescription generate_network(const RoadPlan& plan);

}  // namespace jamiton
