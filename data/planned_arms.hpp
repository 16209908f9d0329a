// The arms of planned junctions, and how far roads end before them.
#pragma once

#include <vector>

#include "data/road_plan.hpp"

namespace jamiton {

struct PlannedArm {
    Position outward;       // unit direction away from the junction
    int in = -1, out = -1;  // roads, -1 none
    double setback = 0;     // m from the junction's place to the stop line
};

// Per junction its arms, clockwise from the north. drawings: the middle line of each road.
std::vector<std::vector<PlannedArm>> find_arms(const RoadPlan& plan, const std::vector<LineStrip>& drawings);

}  // namespace jamiton
