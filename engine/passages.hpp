// What a step shows of the way of each vehicle: the lanes that its body touched, and where it was at begin and end.
#pragma once

#include "engine/observation.hpp"
#include "engine/way_back.hpp"

namespace jamiton {

// Where the front of a vehicle was before the step.
struct PlaceBefore {
    float position = 0;
    int lane = gone;
};

// One lane that a vehicle touched in a step. Positions are m from the start of this lane, below zero before it and
// above its length behind it.
struct Passage {
    int lane = -1;
    float front_before = 0, front = 0;   // m
    float length = 0, speed = 0;         // m of the vehicle, m/s through the step
    bool entered = false, left = false;  // in this step, on its way: neither departure nor arrival

    HD float back() const { return front - length; }
    HD float back_before() const { return front_before - length; }
    // s from the begin of the step until the front (or, with the length added, the back) passes a point ahead of it.
    HD float time_to(float point, float dt) const {
        if (point <= front_before) return 0;
        return speed > 0 ? min((point - front_before) / speed, dt) : dt;
    }
    // s of the step in which some part of the body was between these points.
    HD float time_between(float begin, float end, float dt) const {
        if (back_before() >= end) return 0;
        return max(0.f, time_to(end + length, dt) - (front_before >= begin ? 0 : time_to(begin, dt)));
    }
    // The same for the front alone.
    HD float time_front_between(float begin, float end, float dt) const {
        if (front_before >= end) return 0;
        return max(0.f, time_to(end, dt) - (front_before >= begin ? 0 : time_to(begin, dt)));
    }
    // m s of the step: m of the body between 0 and this point, over time.
    HD float covered(float end, float dt) const {
        if (back_before() >= 0 && front <= end) return length * dt;
        if (speed <= 0) return max(0.f, min(front, end) - max(back(), 0.f)) * dt;
        return static_cast<float>((swept(front, end) - swept(front_before, end)) / static_cast<double>(speed));
    }

  private:
    // Integral of the metres covered over the way of the front up to x.
    HD double swept(float x, float end) const {
        return half_square(x) - half_square(x - length) - half_square(x - end) + half_square(x - end - length);
    }
    HD static double half_square(float z) { return z > 0 ? static_cast<double>(z) * static_cast<double>(z) / 2 : 0; }
};

// Calls visit(passage) for each lane, from the front backwards. To be called between move and regroup.
template <class Visit>
HD void for_each_passage(const World& w, const PlaceBefore& before, int i, Visit&& visit) {
    constexpr int most_lanes = 64;
    const Kinematics& k = w.now.kinematics[i];
    const Attributes& a = w.now.attributes[i];
    int lane = k.lane;
    if (lane == gone) {  // arrived on the last edge, or taken off
        const TripResult& r = w.demand.results[k.vehicle];
        if (r.status != static_cast<std::uint8_t>(TripStatus::arrived)) return;
        lane = w.net.edges[w.demand.stretch(a.route_at).edge].first_lane + r.arrival_lane;
    }
    Passage p;
    p.lane = lane;
    p.length = w.driver(i).length;
    p.front = k.position;
    p.front_before = before.position;
    float way = p.front - p.front_before;  // driven in the step, m
    p.speed = way / w.method.dt;
    if (lane == before.lane && p.back_before() >= 0) return visit(p);

    const std::uint32_t route_begin = w.demand.trips[k.vehicle].route_begin;
    if (lane != before.lane) {
        WayBack back{lane, a.route_at};
        for (int n = 0; back.lane != before.lane; ++n) {
            if (n == most_lanes || !back.step(w, a, route_begin)) return;
            way += w.net.lanes[back.lane].length;
        }
    }
    p.speed = way / w.method.dt;
    WayBack at{lane, a.route_at};
    float ahead = 0, ahead_before = 0;  // m from the end of this lane to the start of the lane of the front
    bool reached = false;
    for (int n = 0; n < most_lanes; ++n) {
        p.lane = at.lane;
        p.left = n > 0 && !reached;
        reached = reached || at.lane == before.lane;
        p.entered = !reached;
        p.front = k.position + ahead;
        p.front_before = reached ? before.position + ahead_before : p.front - way;
        visit(p);
        if ((reached && p.back_before() >= 0) || !at.step(w, a, route_begin)) return;
        ahead += w.net.lanes[at.lane].length;
        if (reached) ahead_before += w.net.lanes[at.lane].length;
    }
}

}  // namespace jamiton
