// Does a vehicle that has to give way find a gap? By windows of arrival and leave times, as SUMO documents its junction
// model.
#pragma once

#include "agents/driver.hpp"

namespace jamiton {

// One vehicle at one connection; times in s from now, speeds in m/s.
struct Window {
    float arrival = 0, leave = 0;
    float arrival_speed = 0, leave_speed = 0;
    float arrival_speed_braking = 0;  // when it brakes from now on; 0 when it can stop before
    float distance = 0;               // m to the connection
};

// When and how fast a foe arrives that is made to brake from the moment the own vehicle arrives.
struct ForcedArrival {
    float time = 0, speed = 0;
};

constexpr float late_arrival = 30;  // s more: counted where the foe could stop, measured on SUMO

// The foe brakes with braking (m/s^2) from own_arrival (s) on, and still has to drive what it would have driven until
// its own arrival. In Euler's discrete time it gains a step dt (s) towards a stop. Measured on SUMO: thresholds over
// impatience 0.05 to 0.9, foes at 4 to 14 m/s with decel 3 and 4.5, steps 0.5 and 1 s.
HD inline ForcedArrival forced_arrival(const Window& foe, float own_arrival, float braking, float dt) {
    const float left = foe.arrival - own_arrival;  // s
    if (left <= 0 || braking <= 0) return {foe.arrival, foe.arrival_speed_braking};
    const float speed = foe.distance / max(foe.arrival, 0.01f);                      // mean on the way
    if (braking * (left + dt) >= speed / 2) return {foe.arrival + late_arrival, 0};  // it can stop
    const float arrives = square_root(max(0.f, speed * speed - 2 * braking * speed * left));
    return {own_arrival + (speed - arrives) / braking, arrives};
}

// Whether a follower at this speed would run into a leader at that speed if both brake fully: stopping distances
// compared.
HD inline bool unsafe_merge(float leader_speed, float follower_speed, float leader_decel, float follower_decel) {
    return leader_speed * leader_speed / leader_decel <= follower_speed * follower_speed / follower_decel;
}

// What the own driver wants of a gap. impatience in 0..1 makes foes brake; timegap: s left to a foe behind.
struct GapDemand {
    float impatience = 0, timegap = 1;
    float own_decel = 4.5f, foe_decel = 4.5f;  // m/s^2
    float dt = 1;                              // s, of a step
};

// Times are compared in whole ms, as SUMO does: equal speeds often make them equal.
HD inline int whole_ms(float seconds) { return static_cast<int>(min(seconds, 1e6f) * 1000); }

// Whether the foe keeps the own vehicle from entering; same_target: both go to the same lane.
HD inline bool blocked_by(const Window& own, const Window& foe, bool same_target, const GapDemand& g) {
    if (whole_ms(foe.leave) < whole_ms(own.arrival))  // the foe goes first
        return same_target && (whole_ms(own.arrival) - whole_ms(foe.leave) < whole_ms(g.timegap) ||
                               unsafe_merge(foe.leave_speed, own.arrival_speed, g.foe_decel, g.own_decel));
    const ForcedArrival forced = forced_arrival(foe, own.arrival, g.impatience * g.foe_decel, g.dt);
    const float foe_arrival = (1 - g.impatience) * foe.arrival + g.impatience * forced.time;
    if (whole_ms(foe_arrival) > whole_ms(own.leave) + whole_ms(g.timegap))  // the foe comes after
        return same_target && unsafe_merge(own.leave_speed, forced.speed, g.own_decel, g.foe_decel);
    return true;
}

}  // namespace jamiton
