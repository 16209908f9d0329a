// Vehicles that are already inside a junction are minded whoever has the right of way.
#pragma once

#include "engine/look_ahead.hpp"

namespace jamiton {

namespace junction {

constexpr float line_gap = 0.1f;  // m before the lane end for a stop without a line

// Whether vehicle i, itself inside at position x of the conflict's own lane, goes before foe f: who is in the conflict
// first, then who entered its lane first, then who is faster, then who has priority, then the smaller number. Of two who
// enter in one step and come to the same lane the nearer one goes first. Antisymmetric, so that never both wait.
HD inline bool goes_first(const World& w, int i, const Conflict& c, int f) {
    const Kinematics& own = w.now.kinematics[i];
    const Kinematics& foe = w.now.kinematics[f];
    const int own_entry = w.now.attributes[i].came_over, foe_entry = w.now.attributes[f].came_over;
    const float own_way = c.own_end - own.position, foe_way = c.foe_end - foe.position;
    if (c.merge && own_entry == foe_entry && own_way != foe_way) return own_way < foe_way;
    const bool own_in = own.position > c.own_begin, foe_in = foe.position > c.foe_begin;
    if (own_in != foe_in) return own_in;
    if (own_entry != foe_entry) return own_entry < foe_entry;
    if (own.speed != foe.speed) return own.speed > foe.speed;
    if (c.yield != c.foe_yields) return c.foe_yields != 0;
    return own.vehicle < foe.vehicle;
}

// Speed behind a leader inside the junction; where it is too near already, a stop before the junction.
HD inline float behind_or_at_line(const World& w, int i, float to_lane, float desired, Leader leader) {
    const Driver& d = w.driver(i);
    if (leader.gap >= d.min_gap) return max(speed_behind(w, i, desired, leader), 0.f);
    return stop_speed(d, w.now.kinematics[i].speed, desired, max(0.f, to_lane - line_gap), w.method);
}

// Speed behind a foe on a lane that joins the own one: as behind a leader, by distances to the point where they join.
// foe_back: position of the foe's back on its lane, m.
HD inline float join_speed(const World& w, int i, float to_lane, float desired, const Conflict& c, int f,
                           float foe_back) {
    return behind_or_at_line(w, i, to_lane, desired, {f, to_lane + c.own_end - (c.foe_end - foe_back)});
}

// Speed before a stretch that a foe is about to sweep or stands on: so that one arrives there when the foe has left it,
// or stops before: at the line where that is inside the junction. foe_back: position of the foe's back on its lane, m.
HD inline float crossing_speed(const World& w, int i, float to_lane, float desired, const Conflict& c, int f,
                               float foe_back, bool waits_inside) {
    const Driver& d = w.driver(i);
    const float speed = w.now.kinematics[i].speed, foe_speed = w.now.kinematics[f].speed;
    const float way = to_lane + c.own_begin;                 // m to the stretch
    const float foe_way = c.foe_end - foe_back + d.min_gap;  // m that the foe needs to clear it
    float v = 0;
    if (to_lane > 0 && waits_inside) return stop_speed(d, speed, desired, max(0.f, to_lane - line_gap), w.method);
    if (way > foe_way)
        v = follow_speed(d, speed, desired, way - foe_way, foe_speed, w.driver(f).apparent_decel, w.method);
    else if (to_lane > line_gap)
        v = stop_speed(d, speed, desired, to_lane - line_gap, w.method);
    if (way < 0) return v;
    const float clear = foe_way / max(foe_speed, 0.1f);  // s
    const float last = max(speed, 2 * (way - d.min_gap) / clear - speed);
    const float timed = speed + (last - speed) / clear * w.method.dt;
    return max(v, min(timed, stop_speed(d, speed, desired, max(0.f, way - d.min_gap), w.method)));
}

HD inline bool has_passed(float back, const Conflict& c) { return c.merge ? false : back > c.foe_end; }

// The rearmost body on a lane that leaves the own one, as long as it has not parted from it.
HD inline Leader leader_on_parting_lane(const World& w, int i, float to_lane, const Conflict& c) {
    Leader nearest;
    for (int f = w.now.lane_begin[c.lane]; f < w.now.lane_begin[c.lane + 1]; ++f) {
        const Kinematics& foe = w.now.kinematics[f];
        const float back = foe.position - w.driver(f).length;
        if (back < c.foe_end && foe.position > -to_lane) nearest = {f, to_lane + back};
    }
    const Leader tail = tail_on(w, c.lane, to_lane, w.now.kinematics[i].vehicle);
    if (nearest.index < 0 && tail.index >= 0 && tail.gap - to_lane < c.foe_end) return tail;
    return nearest;
}

// Whether vehicle i lets foe f be: it goes first itself, or the foe stands before the conflict and waits.
HD inline bool lets_be(const World& w, int i, float to_lane, const Conflict& c, int f, bool waits_inside) {
    const Kinematics& foe = w.now.kinematics[f];
    const Driver& d = w.driver(i);
    if (has_passed(foe.position - w.driver(f).length, c) || f == i) return true;
    if (d.jm_ignore_junction_foe_prob > 0 && w.chance(i, foe.vehicle) < d.jm_ignore_junction_foe_prob) return true;
    if (to_lane <= 0) return goes_first(w, i, c, f);
    return (!c.yield || waits_inside) && foe.position <= c.foe_begin && foe.speed < 0.1f;
}

}  // namespace junction

HD inline JunctionLeaders mind_junction(const World& w, int i, int lane, float to_lane, float desired) {
    using namespace junction;
    const Lane& l = w.net.lanes[lane];
    const bool waits_inside = w.net.connections[l.entry].has(Connection::inside);
    JunctionLeaders leaders;
    const auto mind = [&](float speed) {
        leaders.speed = min(leaders.speed, speed);
        leaders.anyone = true;
    };
    for (int k = l.conflict_begin; k < l.conflict_begin + l.conflict_count; ++k) {
        const Conflict& c = w.net.conflicts[k];
        if (to_lane + c.own_end < 0) continue;
        if (c.part) {
            const Leader leader = leader_on_parting_lane(w, i, to_lane, c);
            if (leader.index >= 0) mind(behind_or_at_line(w, i, to_lane, desired, leader));
            continue;
        }
        if (to_lane <= 0 && !c.merge && (waits_inside || to_lane + c.own_begin < 0)) continue;  // it clears the stretch
        const auto behind = [&](int f, float back) {
            return c.merge ? join_speed(w, i, to_lane, desired, c, f, back)
                           : crossing_speed(w, i, to_lane, desired, c, f, back, waits_inside);
        };
        for (int f = w.now.lane_begin[c.lane]; f < w.now.lane_begin[c.lane + 1]; ++f)
            if (!lets_be(w, i, to_lane, c, f, waits_inside))
                mind(behind(f, w.now.kinematics[f].position - w.driver(f).length));
        const std::uint64_t tail = w.keys.tail[c.lane];
        if (tail == no_key || key_vehicle(tail) == w.now.kinematics[i].vehicle || has_passed(key_value(tail), c))
            continue;
        mind(behind(w.now.where[key_vehicle(tail)], key_value(tail)));
    }
    return leaders;
}

}  // namespace jamiton
