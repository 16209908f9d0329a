// Does a vehicle that has to give way find a gap? By windows of arrival and leave times, as SUMO documents its junction
// model.
#pragma once

#include "agents/driver.hpp"

namespace jamiton {

// One vehicle at one connection; times in s from now, speeds in m/s.
struct Window {
    float arrival = 0, arrival_braking = 0, leave = 0;
    float arrival_speed = 0, leave_speed = 0, arrival_speed_braking = 0;
};

// Whether a follower at this speed would run into a leader at that speed if both brake fully: stopping distances
// compared.
HD inline bool unsafe_merge(float leader_speed, float follower_speed, float leader_decel, float follower_decel) {
    return leader_speed * leader_speed / leader_decel <= follower_speed * follower_speed / follower_decel;
}

// Whether the foe keeps the own vehicle from entering. impatience in 0..1 lets it make the foe brake; timegap: s that
// must be left to a foe behind; same_target: both go to the same lane.
HD inline bool blocked_by(const Window& own, const Window& foe, bool same_target, float impatience, float timegap,
                          float own_decel, float foe_decel) {
    const float foe_arrival = (1 - impatience) * foe.arrival + impatience * foe.arrival_braking;
    if (foe.leave < own.arrival)  // the foe goes first
        return same_target && (own.arrival - foe.leave < timegap ||
                               unsafe_merge(foe.leave_speed, own.arrival_speed, foe_decel, own_decel));
    if (foe_arrival > own.leave + timegap)  // the foe comes after
        return same_target && unsafe_merge(own.leave_speed, foe.arrival_speed_braking, own_decel, foe_decel);
    return true;
}

}  // namespace jamiton
