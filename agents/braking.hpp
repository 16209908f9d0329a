// Distances and speeds of braking in discrete time. With the Euler update a vehicle that brakes with b from speed v
// drives (v - b dt) dt, (v - 2 b dt) dt, ...: shorter than v^2 / 2b. Stopping at a line to the decimetre needs these
// sums. Source of the safe speed: Krauss, Microscopic Modeling of Traffic Flow (1998), in the discrete form that SUMO
// documents.
#pragma once

#include "agents/driver.hpp"

namespace jamiton {

constexpr float tiny_gap = 0.001f;  // m kept free so that rounding never passes a line

// Way to stand still, m, after `headway` seconds at this speed (m/s), braking with decel (m/s^2).
HD inline float brake_gap(float speed, float decel, float headway, StepMethod method) {
    if (speed <= 0) return 0;
    if (method.ballistic) return speed * (headway + speed / (2 * decel));
    const float b = decel * method.dt;
    const float n = floorf(speed / b);
    return method.dt * (n * speed - b * n * (n + 1) / 2) + speed * headway;
}

// The largest speed of the next step, m/s, from which one can stop within gap (m) after driving `headway` seconds on:
// v headway + ((v - b) + (v - 2 b) + ...) dt <= gap. With v = n b + r the sum is n r + b n (n - 1) / 2.
HD inline float stop_speed_euler(float gap, float decel, float headway, float dt) {
    const float g = gap - tiny_gap;
    if (g <= 0) return 0;
    const float b = decel * dt, c = headway - dt / 2;
    const float n = floorf((square_root(c * c + 2 * dt * g / b) - c) / dt);
    const float used = n * b * headway + dt * b * n * (n - 1) / 2;
    return n * b + max(0.f, g - used) / (headway + n * dt);
}

// The same when positions move with the mean of old and new speed. May be negative: a stop within the step.
HD inline float stop_speed_ballistic(float gap, float speed, float decel, float headway, float dt, bool entering) {
    const float g = max(0.f, gap - tiny_gap);
    if (entering) return square_root(decel * headway * decel * headway + 2 * decel * g) - decel * headway;
    const float v = max(0.f, speed), tau = headway > 0 ? headway : dt;
    if (v * tau >= 2 * g) {  // must stand before tau is over
        if (g <= 0) return v > 0 ? -decel * dt : 0;
        return v - v * v / (2 * g) * dt;
    }
    const float p = decel * tau / 2;  // (v + w) tau / 2 + w^2 / 2b = g, w the speed after tau
    const float w = square_root(p * p + decel * (2 * g - tau * v)) - p;
    return v + (w - v) / tau * dt;
}

HD inline float stop_speed_unbounded(float gap, float speed, float decel, float headway, StepMethod method,
                                     bool entering = false) {
    return method.ballistic ? stop_speed_ballistic(gap, speed, decel, headway, method.dt, entering)
                            : stop_speed_euler(gap, decel, headway, method.dt);
}

// Deceleration (m/s^2) that avoids a leader who brakes with leader_decel: kinematics of two braking cars in continuous
// time.
HD inline float needed_deceleration(float gap, float speed, float leader_speed, float leader_decel,
                                    float emergency_decel) {
    if (gap <= 0) return emergency_decel;
    const float leader_way = leader_speed * leader_speed / (2 * leader_decel);
    const float to_its_stop = speed * speed / (2 * (gap + leader_way));
    if (speed * leader_decel >= leader_speed * to_its_stop) return to_its_stop;  // it stands first
    return (speed - leader_speed) * (speed - leader_speed) / (2 * gap) +
           leader_decel;  // touch before the leader stands
}

// Softens a safe speed that asks for more than comfortable braking to what is really needed, with 20 % in hand.
HD inline float soften_emergency(float safe_speed, float gap, float speed, float leader_speed, float leader_decel,
                                 const Driver& d, float dt) {
    const float asked = (speed - safe_speed) / dt;
    if (d.decel == d.emergency_decel || asked <= d.decel + 0.001f) return safe_speed;
    const float needed =
        max(d.decel, 1.2f * needed_deceleration(gap, speed, leader_speed, leader_decel, d.emergency_decel));
    return speed - min(asked, needed) * dt;
}

// Speed to come to a stop within gap, m/s. Standing targets are approached without reaction time.
HD inline float safe_stop_speed(float gap, float speed, const Driver& d, float decel, StepMethod m) {
    const float v = stop_speed_unbounded(gap, speed, decel, m.dt, m);
    return soften_emergency(v, gap, speed, 0, 1, d, m.dt);
}

// The largest speed of the next step from which one can be down to `target` (m/s) when `distance` (m) is used up,
// braking as late as possible: n full steps of braking, the rest spread over them.
HD inline float speed_to_reach_euler(float distance, float target, float decel, float dt, bool entering) {
    const float v = target * dt, b = decel * dt * dt;  // m per step
    if (distance < v) return target;
    const float y = max(0.f, ((square_root((b + 2 * v) * (b + 2 * v) + 8 * b * distance) - b) / 2 - v) / b);
    const float n = floorf(y);
    const float way = (n * n + n) / 2 * b + n * v + (y > n ? v : 0);
    return max(0.f, distance - way) / (n + 1) / dt + (n + (entering ? 1.f : 0.f)) * decel * dt + target;
}

HD inline float speed_to_reach_ballistic(float distance, float speed, float target, float decel, float dt) {
    if (distance <= 0) return target;  // (v + w) dt / 2 + (w^2 - target^2) / 2b = distance
    if ((speed + target) / 2 * dt >= distance) return max(target, speed - decel * dt);
    const float p = decel * dt / 2;
    return max(target, square_root(max(0.f, p * p + decel * (2 * distance - speed * dt) + target * target)) - p);
}

HD inline float speed_to_reach(float distance, float speed, float target, const Driver& d, StepMethod m,
                               bool entering = false) {
    return m.ballistic ? speed_to_reach_ballistic(distance, speed, target, d.decel, m.dt)
                       : speed_to_reach_euler(distance, target, d.decel, m.dt, entering);
}

// Speed after `distance` of constant acceleration, continuous time.
HD inline float speed_after(float distance, float speed, float accel) {
    return square_root(max(0.f, speed * speed + 2 * accel * distance));
}

// Shortest time to cover distance, s, while going from speed to end_speed with comfortable acceleration.
HD inline float arrival_time(float distance, float speed, float end_speed, const Driver& d) {
    const float a = end_speed >= speed ? d.accel : -d.decel;
    const float change = (end_speed - speed) / a;
    const float way = change * (end_speed + speed) / 2;
    if (distance >= way) return change + (distance - way) / max(max(speed, end_speed), 0.1f);
    return (square_root(max(0.f, speed * speed + 2 * a * distance)) - speed) / a;
}

// Lowest speed at which a vehicle that brakes from now on passes a point it can no longer stop before.
HD inline float arrival_speed_braking(float distance, float speed, float decel, StepMethod m) {
    return square_root(max(0.f, speed * speed - 2 * decel * distance - (m.ballistic ? 0 : decel * m.dt * speed)));
}

}  // namespace jamiton
