// Krauss car following (Krauss 1998) as SUMO documents it: the speed is the largest from which a collision is avoided
// even if the leader brakes with its full deceleration, less a random imperfection.
#pragma once

#include "agents/braking.hpp"

namespace jamiton {

// gap: own front to the leader's back less min_gap, m. May be negative.
HD inline float krauss_follow_speed(const Driver& d, float speed, float gap, float leader_speed, float leader_decel,
                                    StepMethod m, bool entering = false) {
    const float room = gap + brake_gap(leader_speed, max(d.decel, leader_decel), 0, m);
    const float v = stop_speed_unbounded(room, speed, d.decel, d.tau, m, entering);
    return entering ? v : soften_emergency(v, gap, speed, leader_speed, leader_decel, d, m.dt);
}

// Imperfection: up to sigma of what could be accelerated in a step. u is uniform in [0, 1).
HD inline float krauss_dawdle(float speed, float sigma, float accel, float dt, float u) {
    const float loss = speed < accel ? sigma * speed * dt * u : sigma * accel * dt * u;
    return max(0.f, speed - loss);
}

}  // namespace jamiton
