#include "data/planned_turns.hpp"

#include <algorithm>
#include <numbers>

namespace jamiton {

namespace {

struct Target {
    int road = -1;
    double angle = 0;  // of the turn, positive to the left
    char direction = 's';
};

// The roads that lead away from the other arms, from the right.
std::vector<Target> targets_of(const std::vector<PlannedArm>& arms, std::size_t own) {
    constexpr double straight = std::numbers::pi / 4;
    std::vector<Target> targets;
    for (std::size_t i = 0; i < arms.size(); ++i) {
        if (i == own || arms[i].out < 0) continue;
        const double angle = turn_angle(-1 * arms[own].outward, arms[i].outward);
        targets.push_back({arms[i].out, angle, angle > straight ? 'l' : angle < -straight ? 'r' : 's'});
    }
    std::ranges::sort(targets, {}, &Target::angle);
    return targets;
}

struct LanePair {
    int from, to;
};

// A turn to the right leaves from the right lane, one to the left from the left lane, straight ahead all that find a
// lane there. Without a way straight ahead the turns share the lanes.
std::vector<LanePair> lanes_for(const std::vector<Target>& targets, char direction, int from_lanes, int to_lanes) {
    const auto has = [&](char wanted) {
        return std::ranges::find(targets, wanted, &Target::direction) != targets.end();
    };
    const bool only = targets.size() == 1;
    std::vector<LanePair> pairs;
    if (direction == 's' || only) {
        const int skipped = has('l') && !only ? 0 : std::max(from_lanes - to_lanes, 0);
        for (int i = 0; i < std::min(from_lanes, to_lanes); ++i) pairs.push_back({i + skipped, i});
        return pairs;
    }
    const int left = has('s') || !has('r') ? 1 : std::max(1, from_lanes / 2);
    const int right = has('s') || !has('l') ? 1 : std::max(1, from_lanes - left);
    if (direction == 'r') {
        for (int i = 0; i < std::min(right, to_lanes); ++i) pairs.push_back({i, i});
    } else {
        for (int i = std::min(left, to_lanes); i >= 1; --i) pairs.push_back({from_lanes - i, to_lanes - i});
    }
    return pairs;
}

}  // namespace

std::vector<JunctionLink> plan_turns(const RoadPlan& plan, const std::vector<PlannedArm>& arms,
                                     const std::vector<std::vector<LineStrip>>& lanes) {
    std::vector<JunctionLink> links;
    for (std::size_t arm = 0; arm < arms.size(); ++arm) {
        const int from = arms[arm].in;
        if (from < 0) continue;
        const std::vector<Target> targets = targets_of(arms, arm);
        const auto first = static_cast<std::ptrdiff_t>(links.size());
        for (const Target& target : targets) {
            const int to_lanes = plan.roads[target.road].lanes;
            for (const auto [a, b] : lanes_for(targets, target.direction, plan.roads[from].lanes, to_lanes)) {
                const LineStrip &in = lanes[from][a], &out = lanes[target.road][b];
                links.push_back({from, target.road, a, b, static_cast<int>(arm), -1 * arms[arm].outward,
                                 target.direction, plan.roads[from].priority,
                                 curve(in.back(), unit(in.back() - in[in.size() - 2]), out[0], unit(out[1] - out[0]))});
            }
        }
        std::stable_sort(links.begin() + first, links.end(),
                         [](const JunctionLink& a, const JunctionLink& b) { return a.from_lane < b.from_lane; });
    }
    return links;
}

}  // namespace jamiton
