// One interface over the car-following models: what speed may the next step have?
#pragma once

#include "agents/idm.hpp"
#include "agents/krauss.hpp"

namespace jamiton {

// Behind a leader. gap: own front to leader's back less min_gap, m; desired: speed wanted on the lane, m/s.
HD inline float follow_speed(const Driver& d, float speed, float desired, float gap, float leader_speed,
                             float leader_decel, StepMethod m) {
    if (d.model == FollowModel::idm)
        return idm_speed(d, speed, desired, gap + d.min_gap, leader_speed, d.min_gap, m.dt);
    return krauss_follow_speed(d, speed, gap, leader_speed, leader_decel, m);
}

// To a stop within gap, m.
HD inline float stop_speed(const Driver& d, float speed, float desired, float gap, StepMethod m) {
    if (d.model == FollowModel::idm) {
        if (gap < 0.01f) return 0;
        const float v = idm_speed(d, speed, desired, gap, 0, 0, m.dt);
        return speed < 0.001f && v < 0.001f ? safe_stop_speed(gap, speed, d, d.decel, m)
                                            : v;  // creep up the last centimetres
    }
    return safe_stop_speed(gap, speed, d, d.decel, m);
}

// Down (or up) to the limit of a lane that begins in `distance` m.
HD inline float approach_speed(const Driver& d, float speed, float desired, float distance, float limit, StepMethod m) {
    if (d.model == FollowModel::idm) {
        const float secure = max(0.f, brake_gap(speed, d.decel, d.tau, m) - brake_gap(limit, d.decel, 0, m));
        const float v = speed <= limit ? idm_speed(d, speed, desired, 1e6f, limit, 0, m.dt)
                                       : idm_speed(d, speed, desired, max(distance, secure), 0, 0, m.dt);
        return distance < secure ? min(v, limit) : v;
    }
    return speed_to_reach(distance, speed, limit, d, m);
}

// Without anybody ahead.
HD inline float free_speed(const Driver& d, float speed, float desired, StepMethod m) {
    if (d.model == FollowModel::idm) return idm_speed(d, speed, desired, 1e6f, desired, 0, m.dt);
    return desired;
}

// Gap (less min_gap, m) that a follower needs behind a leader so that nobody brakes harder than comfortably.
HD inline float secure_gap(const Driver& follower, float follower_speed, float leader_speed, float leader_decel,
                           StepMethod m) {
    const float own = brake_gap(follower_speed, follower.decel, follower.tau, m);
    return max(0.f, own - brake_gap(leader_speed, max(follower.decel, leader_decel), 0, m));
}

}  // namespace jamiton
