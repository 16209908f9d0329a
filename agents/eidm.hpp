// Extended Intelligent Driver Model: Salles, Kaufmann, Reuss: Extending the Intelligent Driver Model in SUMO and
// verifying the drive off trajectories with aerial measurements, SUMO Conference 2020. Base: the improved IDM
// (Treiber, Kesting: Traffic Flow Dynamics, 2013); coolness: Kesting, Treiber, Helbing, Phil. Trans. R. Soc. A 368,
// 2010; errors: Treiber, Kesting, Helbing: Delays, inaccuracies and anticipation, Physica A 360, 2006.
#pragma once

#include "agents/driver_state.hpp"
#include "agents/power.hpp"

namespace jamiton {

// gap: bumper to bumper, m.
HD inline float improved_idm_acceleration(const Driver& d, float speed, float desired, float gap, float leader_speed,
                                          float min_gap) {
    const float a = d.accel, b = d.decel, v0 = max(desired, 0.01f);
    const float free =
        speed <= v0 ? a * (1 - power(speed / v0, d.delta)) : -b * (1 - power(v0 / speed, a * d.delta / b));
    const float wanted = min_gap + max(0.f, speed * d.tau + speed * (speed - leader_speed) / (2 * square_root(a * b)));
    const float z = wanted / max(gap, 0.01f);
    if (speed > v0) return z >= 1 ? free + a * (1 - z * z) : free;
    if (z >= 1) return a * (1 - z * z);
    return free > 0.001f ? free * (1 - power(z, 2 * a / free)) : 0.f;
}

// What would do if the leader kept its acceleration: nobody brakes harder for one who merges closely.
HD inline float cool_acceleration(const Driver& d, float wanted, float speed, float gap, float leader_speed,
                                  float leader_acceleration) {
    const float al = min(leader_acceleration, d.accel), s = max(gap, 0.1f), closing = speed - leader_speed;
    const float constant = leader_speed * closing <= -2 * s * al
                               ? speed * speed * al / max(leader_speed * leader_speed - 2 * s * al, 0.01f)
                               : al - (closing > 0 ? closing * closing / (2 * s) : 0.f);
    if (wanted >= constant) return wanted;
    const float c = d.special.eidm.coolness, b = d.decel;
    return (1 - c) * wanted + c * (constant + b * tanh_of((wanted - constant) / b));
}

// Share of the acceleration that is there `since` s after driving off.
HD inline float drive_off_share(const EidmParameters& p, float since) {
    if (p.accel_time <= 0) return 1;
    return (tanh_of((2 * since / p.accel_time - p.begin) * p.flatness) + 1) / 2;
}

HD inline float drive_off_time(float speed, float phase) { return speed < 0.01f ? 0.f : phase; }

// An error that persists for some time (s): Ornstein-Uhlenbeck process of variance 1, driven by a standard normal
// number.
HD inline float next_error(float error, float persistence, float dt, float normal) {
    const float kept = exp2_of(-1.442695f * dt / persistence);
    return kept * error + square_root(1 - kept * kept) * normal;
}

// gap: bumper to bumper; a stop at a line has min_gap 0.
HD inline float eidm_speed(const Driver& d, float speed, float desired, float gap, float leader_speed, float min_gap,
                           const Situation& s, float dt) {
    const EidmParameters& p = d.special.eidm;
    const int parts = max(1, static_cast<int>(dt / d.stepping + 0.5f));
    const float part = dt / static_cast<float>(parts);
    float v = speed, room = gap;
    for (int k = 0; k < parts; ++k) {
        const float seen_room = room * max(0.1f, 1 + p.gap_error * s.own.gap_error);
        const float seen_speed = max(0.f, leader_speed + p.leader_error * min(room, 100.f) * s.own.leader_error);
        float a = improved_idm_acceleration(d, v, desired, seen_room, seen_speed, min_gap);
        if (room < 1000) a = cool_acceleration(d, a, v, seen_room, seen_speed, s.leader_acceleration);
        const float since = drive_off_time(speed, s.own.phase) + static_cast<float>(k) * part;
        if (a > 0 && since < 2 * p.accel_time) a *= drive_off_share(p, since);
        if (v > 0.1f) a += p.drive_error * s.own.drive_error;
        v = max(0.f, v + part * a);
        room -= max(0.f, v - leader_speed) * part;
    }
    return v;
}

}  // namespace jamiton
