// Gipps: A behavioural car-following model for computer simulation, Transp. Res. B 15, 1981; see Treiber, Kesting:
// Traffic Flow Dynamics (2013).
#pragma once

#include "agents/driver.hpp"

namespace jamiton {

// Speed after dt without anybody ahead: the accelerations that Gipps measured, `accel` at most, near a third of
// desired.
HD inline float gipps_free_speed(const Driver& d, float speed, float desired, float dt) {
    const float share = speed / max(desired, 0.01f);
    return max(0.f, speed + 2.5f * d.accel * dt * (1 - share) * square_root(0.025f + share));
}

// The speed from which decel is enough behind a leader that may brake with leader_decel, after the reaction time and
// half of it as a margin. The way of this step is that of the mean of old and new speed: with steps as long as the
// reaction time that is Gipps' formula. gap: less min_gap, m.
HD inline float gipps_safe_speed(const Driver& d, float speed, float gap, float leader_speed, float leader_decel,
                                 float dt) {
    const float b = d.decel, b_time = b * (1.5f * max(d.tau, dt) - dt / 2);
    const float room = 2 * gap + leader_speed * leader_speed / leader_decel - speed * dt;
    return max(0.f, square_root(max(0.f, b_time * b_time + b * room)) - b_time);
}

}  // namespace jamiton
