#include "data/planned_arms.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace jamiton {

namespace {

using Arms = std::vector<PlannedArm>;

constexpr double least_setback = 0.05;  // m: internal lanes have a length

void add_road(Arms& arms, Position outward, int PlannedArm::*side, int road) {
    for (PlannedArm& arm : arms) {
        if (arm.*side < 0 && std::abs(turn_angle(arm.outward, outward)) < 0.02) {
            arm.*side = road;
            return;
        }
    }
    PlannedArm arm;
    arm.outward = outward;
    arm.*side = road;
    arms.push_back(arm);
}

// In [0, 2 pi)
double clockwise_from_north(Position direction) {
    const double angle = std::atan2(direction.x, direction.y);
    return angle < -1e-9 ? angle + 2 * std::numbers::pi : angle;
}

// Both arms at a corner end where their kerbs begin to turn into each other. next is the arm clockwise of arm.
void set_corner(const RoadPlan& plan, PlannedArm& arm, PlannedArm& next) {
    const double angle = -turn_angle(arm.outward, next.outward);
    if (angle < 1e-3 || angle > std::numbers::pi - 1e-3) return;
    const double right = arm.out < 0 ? 0 : plan.roads[arm.out].lanes * plan.lane_width;
    const double left = next.in < 0 ? 0 : plan.roads[next.in].lanes * plan.lane_width;
    const double kerb = plan.corner_radius / std::tan(angle / 2);
    arm.setback = std::max(arm.setback, (left + right * std::cos(angle)) / std::sin(angle) + kerb);
    next.setback = std::max(next.setback, (right + left * std::cos(angle)) / std::sin(angle) + kerb);
}

}  // namespace

std::vector<std::vector<PlannedArm>> find_arms(const RoadPlan& plan, const std::vector<LineStrip>& drawings) {
    std::vector<Arms> arms_of(plan.junctions.size());
    for (std::size_t road = 0; road < plan.roads.size(); ++road) {
        const LineStrip& line = drawings[road];
        const int number = static_cast<int>(road);
        add_road(arms_of[plan.roads[road].from], unit(line[1] - line[0]), &PlannedArm::out, number);
        add_road(arms_of[plan.roads[road].to], unit(line[line.size() - 2] - line.back()), &PlannedArm::in, number);
    }
    for (Arms& arms : arms_of) {
        std::ranges::sort(arms, {}, [](const PlannedArm& arm) { return clockwise_from_north(arm.outward); });
        if (arms.size() < 2) continue;
        for (std::size_t i = 0; i < arms.size(); ++i) set_corner(plan, arms[i], arms[(i + 1) % arms.size()]);
        for (PlannedArm& arm : arms) {
            const double room = 0.4 * length(drawings[arm.in >= 0 ? arm.in : arm.out]);
            arm.setback = std::clamp(arm.setback, least_setback, room);
        }
    }
    return arms_of;
}

}  // namespace jamiton
