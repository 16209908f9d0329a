// Adaptive cruise control: Milanes, Shladover: Modeling cooperative and autonomous adaptive cruise control dynamic
// responses using experimental data, Transp. Res. C 48, 2014; modes of Xiao, Wang, van Arem: Realistic car-following
// models for microscopic simulation of ACC and CACC vehicles, TRR 2623, 2017.
#pragma once

#include "agents/driver_state.hpp"
#include "agents/krauss.hpp"

namespace jamiton {

// Room beyond length and headway that the system keeps, m: less at speed (Xiao et al.).
HD inline float clearance_margin(float speed) { return speed >= 15 ? 0.f : (speed >= 10.8f ? 75 / speed - 5 : 2.f); }

// Acceleration when the leader counts, m/s^2. gap: less min_gap, m.
HD inline float acc_gap_acceleration(const AccParameters& p, const Driver& d, float speed, float desired, float gap,
                                     float leader_speed, float headway) {
    const float error = gap - d.length - clearance_margin(speed) - headway * speed, closing = leader_speed - speed;
    if (error < 0) return p.avoidance_space * error + p.avoidance_speed * closing;
    const float off = speed - desired;
    if (error < 0.2f && off < 0.1f && off > -0.1f) return p.gap_space * error + p.gap_speed * closing;
    return p.closing_space * error + p.closing_speed * closing;
}

// Whether it merely keeps its desired speed; between the two distances it does as before.
HD inline bool acc_keeps_speed(float gap, bool before) { return gap > 120 || (gap > 100 && before); }

HD inline float acc_speed(const Driver& d, float speed, float desired, float gap, float leader_speed,
                          float leader_decel, const Situation& s, StepMethod m) {
    const AccParameters& p = d.special.acc;
    const float a = acc_keeps_speed(gap, s.own.phase > 0)
                        ? p.speed_control * (speed - desired)
                        : acc_gap_acceleration(p, d, speed, desired, gap, leader_speed, d.tau);
    const float safe = krauss_follow_speed(d, speed, gap, leader_speed, leader_decel, m, true);
    return min(max(0.f, speed + a * m.dt), safe + p.override_margin);
}

}  // namespace jamiton
