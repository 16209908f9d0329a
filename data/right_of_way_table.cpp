#include "data/right_of_way_table.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

namespace jamiton {

namespace {

bool same_target(const JunctionLink& a, const JunctionLink& b) {
    return a.to_road == b.to_road && a.to_lane == b.to_lane;
}

bool are_foes(const JunctionLink& a, const JunctionLink& b) {
    if (a.from_road == b.from_road && a.from_lane == b.from_lane) return false;
    return same_target(a, b) || first_meeting(a.path, b.path).has_value();
}

bool is_signal(JunctionType type) {
    return type == JunctionType::traffic_light || type == JunctionType::traffic_light_right_on_red;
}

bool by_priority(JunctionType type) { return type == JunctionType::priority || type == JunctionType::priority_stop; }

// Of two equal links, whether a must let b go first. Exactly one of (a, b) and (b, a) is true.
bool gives_way(const JunctionLink& a, const JunctionLink& b) {
    if (a.arm == b.arm) return a.from_lane > b.from_lane;
    if (oncoming(a, b)) {
        return std::tuple(a.direction == 'l', a.direction != 'r', a.arm) >
               std::tuple(b.direction == 'l', b.direction != 'r', b.arm);
    }
    return turn_angle(a.heading, b.heading) > 0;  // b heads to the left of a: it comes from the right
}

bool must_yield(const JunctionLink& a, const JunctionLink& b, JunctionType type) {
    if (type == JunctionType::allway_stop) return true;
    if (type == JunctionType::unregulated) return false;
    if (by_priority(type) && a.priority != b.priority) return a.priority < b.priority;
    return gives_way(a, b);
}

}  // namespace

bool oncoming(const JunctionLink& a, const JunctionLink& b) {
    return std::abs(turn_angle(a.heading, b.heading)) > 0.8 * std::numbers::pi;
}

RightOfWayTable::RightOfWayTable(std::span<const JunctionLink> links, JunctionType type)
    : size_(static_cast<int>(links.size())), foes_(links.size() * links.size()), yields_(foes_.size()) {
    for (int a = 0; a < size_; ++a) {
        for (int b = 0; b < size_; ++b) {
            if (a == b || !are_foes(links[a], links[b])) continue;
            foes_[index(a, b)] = 1;
            yields_[index(a, b)] = must_yield(links[a], links[b], type);
        }
    }
}

bool RightOfWayTable::yields(int a) const {
    const auto row = yields_.begin() + static_cast<std::ptrdiff_t>(index(a, 0));
    return std::find(row, row + size_, 1) != row + size_;
}

std::optional<double> waiting_place(std::span<const JunctionLink> links, const RightOfWayTable& table, int turn,
                                    JunctionType type, double lane_width) {
    constexpr double shortest = 3;  // m of either piece: room to be worth it
    const JunctionLink& own = links[turn];
    if (own.direction != 'l' || !(by_priority(type) || is_signal(type))) return std::nullopt;
    double place = length(own.path);
    bool waits = false;
    for (int other = 0; other < table.size(); ++other) {
        if (!table.yields(turn, other)) continue;
        // Where traffic from the sides goes first too, and no signal stops it, the stop line is the place to wait.
        if (!oncoming(own, links[other])) {
            if (!is_signal(type)) return std::nullopt;
            continue;
        }
        waits = true;
        place = std::min(place, first_meeting(own.path, links[other].path).value_or(place));
    }
    place -= 0.5 * lane_width + 1;
    if (!waits || place < shortest || place > length(own.path) - shortest) return std::nullopt;
    return place;
}

}  // namespace jamiton
