// Cooperative adaptive cruise control: sources as for ACC. Behind a vehicle of its kind it knows more and keeps closer;
// behind another it drives as ACC.
#pragma once

#include "agents/acc.hpp"

namespace jamiton {

// By time gap (s): above 2 only its speed counts, below 1.5 the leader, between it does as before.
HD inline bool cacc_keeps_speed(const CaccParameters& p, float speed, float gap, bool before) {
    if (gap <= p.speed_control_gap) return false;
    return gap > 2 * speed || (gap > 1.5f * speed && before);
}

// Change of speed in a control cycle, m/s, whatever its length.
HD inline float cacc_gap_change(const Driver& d, float speed, float desired, float gap, float leader_speed,
                                float acceleration) {
    const CaccParameters& p = d.special.cacc;
    const float error = gap - d.tau * speed, rate = leader_speed - speed + d.tau * acceleration;
    if (error < 0) return p.avoidance_gap * error + p.avoidance_gap_dot * rate;
    if (error < 0.2f && speed - desired < 0.1f) return p.gap * error + p.gap_dot * rate;
    return p.closing_gap * error + p.closing_gap_dot * rate;
}

HD inline float cacc_speed(const Driver& d, float speed, float desired, float gap, float leader_speed,
                           float leader_decel, const Situation& s, StepMethod m) {
    const CaccParameters& p = d.special.cacc;
    float change = 0;
    if (cacc_keeps_speed(p, speed, gap, s.own.phase > 0))
        change = p.speed_control * (speed - desired) * m.dt;
    else if (s.same_model)
        change = cacc_gap_change(d, speed, desired, gap, leader_speed, s.own.acceleration);
    else
        change = acc_gap_acceleration(AccParameters{}, d, speed, desired, gap, leader_speed, p.headway_to_acc) * m.dt;
    const float safe = krauss_follow_speed(d, speed, gap, leader_speed, leader_decel, m, true);
    return min(max(0.f, speed + change), safe + p.override_margin);
}

}  // namespace jamiton
