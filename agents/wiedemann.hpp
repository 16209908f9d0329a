// Wiedemann: Simulation des Strassenverkehrsflusses, Karlsruhe 1974: a driver perceives distance and speed difference
// only beyond thresholds, and drifts around the equilibrium between them.
#pragma once

#include "agents/driver_state.hpp"

namespace jamiton {

constexpr float sight = 150;             // m beyond which nobody reacts to a leader
constexpr float unaware_share = 0.2f;    // of the acceleration: the drift while following
constexpr float wiedemann_hardest = 10;  // m/s^2

// gap: less min_gap, m.
HD inline float wiedemann_acceleration(const Driver& d, float speed, float desired, float gap, float leader_speed,
                                       const Situation& s) {
    const WiedemannParameters& p = d.special.wiedemann;
    const float closing = speed - leader_speed, drift = unaware_share * d.accel;
    const float standing = 1 + 2 * p.security;                                             // AX
    const float safety = (1 + 7 * p.security) * square_root(speed);                        // BX
    const float least = standing + safety, most = standing + (2 - p.estimation) * safety;  // ABX, SDX
    const float far = standing + 2.5f * safety;  // m, beyond which nobody follows (as SUMO drives)
    const float scaled = max(0.f, gap - standing) / (25 * (1 + p.security + p.estimation));
    const float perceived = scaled * scaled;  // SDV
    const float opened = -2 * perceived;      // OPDV
    const float free = min(d.accel, max(0.f, desired - speed));
    if (gap <= least) {  // too close
        if (closing < opened) return drift;
        const float needed = closing > 0 ? closing * closing / (2 * max(gap - standing, 0.1f)) : 0.f;
        return max(-wiedemann_hardest, -needed - 0.8f * drift - d.decel * (least - gap) / max(least, 0.1f));
    }
    if (gap > sight) return free;
    if (closing > perceived) return -closing * closing / (2 * max(gap - least, 0.1f));  // approaches
    if (closing < opened || gap > far) return gap < most ? min(free, drift) : free;     // falls behind
    return s.own.acceleration >= 0 ? min(free, drift) : -drift;                         // follows
}

HD inline float wiedemann_speed(const Driver& d, float speed, float desired, float gap, float leader_speed,
                                const Situation& s, StepMethod m) {
    return max(0.f,
               speed + max(-d.emergency_decel, wiedemann_acceleration(d, speed, desired, gap, leader_speed, s)) * m.dt);
}

}  // namespace jamiton
