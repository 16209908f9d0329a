// Which lane of a road leads where at a planned junction.
#pragma once

#include <vector>

#include "data/planned_arms.hpp"
#include "data/right_of_way_table.hpp"

namespace jamiton {

// In the order of the request table: arms clockwise from the north, lanes from the right, turns from the right.
// lanes: the drawing of each lane of each road.
std::vector<JunctionLink> plan_turns(const RoadPlan& plan, const std::vector<PlannedArm>& arms,
                                     const std::vector<std::vector<LineStrip>>& lanes);

}  // namespace jamiton
