// Wiedemann's model of 1999 with its ten parameters (cc0 is min_gap), in the published form of Aghabayk, Sarvi, Young,
// Kautzsch: A novel methodology for evolutionary calibration of Vissim by multi-threading, ATRF 2013.
#pragma once

#include "agents/driver_state.hpp"

namespace jamiton {

// gap: bumper to bumper, m.
HD inline float wiedemann99_acceleration(const Driver& d, float speed, float desired, float gap, float leader_speed,
                                         const Situation& s, float dt) {
    const Wiedemann99Parameters& p = d.special.wiedemann99;
    const float opening = leader_speed - speed, last = s.own.acceleration;
    const float headway = leader_speed > 0 ? p.headway * speed : 0.f, least = d.min_gap + headway,
                most = least + p.variation;
    const float perceived = p.oscillation * 1e-4f * gap * gap;
    const float closing_from = most + p.following_time * (opening - p.slower);
    const float lower = p.slower - perceived;
    const float upper = speed > p.faster ? perceived + p.faster : perceived;
    const float wish = (desired - speed) / dt;
    if (opening < upper && gap <= least) {  // too close
        float a = 0;
        if (speed > 0) {
            if (opening < 0)
                a = s.leader_acceleration +
                    (gap > d.min_gap ? opening * opening / min(d.min_gap - gap, -0.1f) : (opening - upper) / 2);
            a = min(a, last);
            a = a > -p.oscillation_accel ? -p.oscillation_accel : max(a, -10 + square_root(speed) / 2);
        }
        return a;
    }
    if (opening < lower && gap < closing_from)  // approaches
        return max(opening * opening / 2 / min(least - gap - 0.1f, -0.1f), -10.f);
    if (opening < upper && gap < most)  // follows
        return last <= 0 ? min(last, -p.oscillation_accel) : min(max(last, p.oscillation_accel), wish);
    if (gap <= least) return 0;  // the leader draws away
    const float a =
        gap < most ? min(opening * opening / max(most - gap, 0.1f), p.standstill_accel) : p.standstill_accel;
    return min(a, wish);
}

HD inline float wiedemann99_speed(const Driver& d, float speed, float desired, float gap, float leader_speed,
                                  const Situation& s, StepMethod m) {
    return max(0.f, speed + wiedemann99_acceleration(d, speed, desired, gap, leader_speed, s, m.dt) * m.dt);
}

}  // namespace jamiton
