// Wagner: How human drivers control their vehicle, Eur. Phys. J. B 52, 2006, with Todosiev's action points: a driver
// decides anew only now and then and keeps its acceleration between, unless that became dangerous.
#pragma once

#include "agents/driver_state.hpp"
#include "agents/krauss_original.hpp"

namespace jamiton {

HD inline float wagner_speed(const Driver& d, float speed, float desired, float gap, float leader_speed,
                             const Situation& s, StepMethod m) {
    const float preferred = min(desired, krauss_original_speed(gap, leader_speed, d.decel, d.tau, m.dt));
    const float last = krauss_original_speed(gap, leader_speed, d.decel, max(m.dt, d.special.wagner.last_tau), m.dt);
    const bool decides = s.luck < d.special.wagner.action_probability;
    const float wanted = clamp((preferred - speed) / max(d.tau, m.dt), -d.decel, d.accel);
    const float a = decides ? wanted : min(s.own.acceleration, wanted + d.accel);
    return clamp(speed + a * m.dt, 0.f, last);
}

}  // namespace jamiton
