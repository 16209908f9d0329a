// Why a driver wants another lane: the motives of SUMO's default model LC2013 (Erdmann, SUMO's Lane-Changing Model,
// 2014), each a function of distances, speeds and the driver's memory.
#pragma once

#include "agents/car_following.hpp"
#include "agents/power.hpp"

namespace jamiton {

constexpr float look_ahead_time = 10;       // s of driving within which a needed change becomes urgent
constexpr float look_memory = 0.1f;         // per s that the speed by which drivers look ahead follows a lower one
constexpr float help_overtake = 10 / 3.6f;  // m/s by which a helper should differ in speed
constexpr float fall_behind = 7 / 3.6f;     // m/s^2 at least by which one drops behind a leader that blocks a change
constexpr float leader_slows = 1;           // m/s^2 that a leader is given credit for slowing down
constexpr float ramp_way = 200;             // m: a shorter lane that ends is an on-ramp
constexpr float reserve_right = 20, reserve_left = 40;  // m that who has two lanes or more to change keeps free for one
                                                        // it may not see yet who comes the other way
constexpr float congested_speed = 60 / 3.6f;            // m/s up to which one may overtake on the right
constexpr float motorway_speed = 80 / 3.6f;  // m/s above which nobody goes right onto a lane that ends or leaves
constexpr float overtake_sight = 8;          // s before having to brake behind a leader on the left that one goes there
constexpr float gain_threshold = 0.2f;       // accumulated relative gain that makes a driver change
constexpr float keep_right_time = 5;         // s of undisturbed driving on the right that make a driver keep right
constexpr float stopped_way = 100;           // m within which a driver leaves the lane of one who makes a stop
constexpr float turn_lane_way = 200;  // m: on its best lane a driver does not leave for a lane that ends within this

// m before the end of a lane from which a change of one lane is urgent. speed: the slowly following look-ahead speed,
// m/s.
HD inline float urgent_way(const Driver& d, float speed, bool to_left) {
    return speed * look_ahead_time * d.lc_strategic * (to_left ? d.lc_lookahead_left : 1) + 2 * (d.length + d.min_gap);
}

// Speed that one could have on a lane behind its leader, or before its end. gap: less min_gap, m.
HD inline float lane_speed(const Driver& d, float speed, float limit, bool led, float gap, float leader_speed,
                           float leader_decel, float way, StepMethod m) {
    const float room = gap + brake_gap(leader_speed, max(d.decel, leader_decel), 0, m);
    const float v = led ? stop_speed_unbounded(room, speed, d.decel, d.tau, m, false)
                        : stop_speed_unbounded(way, speed, d.decel, d.tau, m, true);
    return min(limit, v);
}

// Relative gain of speed by changing, at least against 10 m/s.
HD inline float relative_gain(float there, float here) { return (there - here) / max(there, 10.f); }

// What is left of a memory after dt s.
HD inline float decay(float per_second, float dt) { return dt == 1 ? per_second : power(per_second, dt); }

// New memory of how much faster the left lane would be.
HD inline float remember_left(float memory, float there, float here, float dt) {
    if (here > there) return memory > 0 ? memory * decay(0.5f, dt) : memory;
    if (here == there) return memory > 0 ? memory * decay(0.8f, dt) : memory;
    return memory + dt * relative_gain(there, here);
}

// The same for the right lane, counted negative; 5 km/h less there do not matter.
HD inline float remember_right(float memory, float there, float here, float dt) {
    if (here - 5 / 3.6f > there) return memory < 0 ? memory * decay(0.5f, dt) : memory;
    return memory - dt * relative_gain(there, here);
}

}  // namespace jamiton
