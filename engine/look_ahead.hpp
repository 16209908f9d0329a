// What a driver sees along the way: leaders on this lane and the next ones, and vehicles inside a junction that it must
// mind.
#pragma once

#include "agents/car_following.hpp"
#include "engine/state.hpp"

namespace jamiton {

struct Leader {
    int index = -1;  // in the state, -1: nobody
    float gap = 0;   // m from own front to its back, may be negative
};

// The nearer of two.
HD inline Leader nearer(Leader a, Leader b) {
    if (b.index < 0) return a;
    return a.index < 0 || b.gap < a.gap ? b : a;
}

// A body that reaches back onto this lane from a front elsewhere, for someone whose front is `offset` m before the lane
// start.
HD inline Leader tail_on(const World& w, int lane, float offset, std::uint32_t self) {
    const std::uint64_t key = w.keys.tail[lane];
    if (key == no_key || key_vehicle(key) == self) return {};
    return {w.now.where[key_vehicle(key)], offset + key_value(key)};
}

// The rearmost vehicle of a lane, for someone whose front is `offset` m before the lane start.
HD inline Leader rearmost(const World& w, int lane, float offset, std::uint32_t self) {
    Leader leader = tail_on(w, lane, offset, self);
    const int last = w.now.lane_begin[lane + 1] - 1;
    if (last < w.now.lane_begin[lane]) return leader;
    const Kinematics& k = w.now.kinematics[last];
    if (k.vehicle == self) return leader;
    return nearer(leader, {last, offset + k.position - w.driver(last).length});
}

// The vehicle directly ahead of vehicle i on its own lane, or the body that sticks back onto the lane.
HD inline Leader leader_on_lane(const World& w, int i) {
    const Kinematics& k = w.now.kinematics[i];
    if (i > w.now.lane_begin[k.lane])
        return {i - 1, w.now.kinematics[i - 1].position - w.driver(i - 1).length - k.position};
    return tail_on(w, k.lane, -k.position, k.vehicle);
}

// Speed that vehicle i may have behind this leader.
HD inline float speed_behind(const World& w, int i, float desired, Leader leader) {
    const Driver& d = w.driver(i);
    const float speed = w.now.kinematics[i].speed, leader_speed = w.now.kinematics[leader.index].speed;
    const float gap = leader.gap - d.min_gap, leader_decel = w.driver(leader.index).apparent_decel;
    if (d.model == FollowModel::krauss) return krauss_follow_speed(d, speed, gap, leader_speed, leader_decel, w.method);
    return follow_speed(d, speed, desired, gap, leader_speed, leader_decel, w.method, w.situation(i, leader.index));
}

// Index of the first vehicle of a lane that is not ahead of this position: between it and the one before lies the place
// of a newcomer. equal_is_ahead: one at this very position counts as ahead.
template <bool equal_is_ahead = false>
HD inline int place_on_lane(const World& w, int lane, float position) {
    int low = w.now.lane_begin[lane], high = w.now.lane_begin[lane + 1];
    while (low < high) {
        const int mid = (low + high) / 2;
        const float other = w.now.kinematics[mid].position;
        if (equal_is_ahead ? other >= position : other > position)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

// The nearest body ahead of a point of a lane: on it, or on the lanes that follow on the route within `look` m.
// place: place_on_lane() of the point.
HD inline Leader leader_along_route(const World& w, int lane, float position, int place, std::uint32_t route_at,
                                    std::uint32_t self, float look) {
    if (place > w.now.lane_begin[lane])
        return {place - 1, w.now.kinematics[place - 1].position - w.driver(place - 1).length - position};
    Leader leader = tail_on(w, lane, -position, self);
    const Lane* l = &w.net.lanes[lane];
    for (float seen = l->length - position; seen < look; seen += l->length) {
        if (leader.index >= 0) break;
        if (!l->is_internal() && w.demand.stretch(route_at).last) break;
        const int connection = w.next_connection(*l, route_at);
        if (connection < 0) break;
        lane = w.net.connections[connection].next_lane;
        l = &w.net.lanes[lane];
        if (!l->is_internal()) ++route_at;
        leader = rearmost(w, lane, seen, self);
    }
    return leader;
}

// The nearest vehicle behind a point of a lane; gap from its front to the point. Behind the start of a lane inside a
// junction it is the first on the lanes that lead there, upstream of another lane the nearest that comes onto it.
HD inline Leader follower_on_lane(const World& w, int lane, float position, int place) {
    if (place < w.now.lane_begin[lane + 1]) return {place, position - w.now.kinematics[place].position};
    const int own_lane = lane;
    while (w.net.lanes[lane].is_internal()) {
        if (w.net.lanes[lane].entry < 0) return {};
        lane = w.net.connections[w.net.lanes[lane].entry].from_lane;
        position += w.net.lanes[lane].length;
        const int first = w.now.lane_begin[lane];
        if (first < w.now.lane_begin[lane + 1]) return {first, position - w.now.kinematics[first].position};
    }
    const std::uint64_t key = w.keys.incoming[lane];
    if (key == no_key) return {};
    const int f = w.now.where[key_vehicle(key)];
    if (f < 0 || w.now.kinematics[f].lane == own_lane) return {};
    return {f, position + key_value(key)};
}

// m taken of their lanes by vehicles [begin, end), with their gaps.
HD inline float taken_by(const World& w, int begin, int end) {
    float taken = 0;
    for (int f = begin; f < end; ++f) taken += w.driver(f).length + w.driver(f).min_gap;
    return taken;
}

struct JunctionLeaders {
    float speed = 1e9f;  // m/s that they leave
    bool anyone = false;
};

// Those whom vehicle i minds: who are inside the junction on lanes that cross or join internal lane `lane`, or have not
// parted from it yet. to_lane: m from its front to the start of that lane (negative: it is on it).
HD JunctionLeaders mind_junction(const World& w, int i, int lane, float to_lane, float desired);

}  // namespace jamiton

#include "engine/junction_leaders.hpp"
