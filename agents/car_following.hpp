// One interface over the car-following models: what speed may the next step have?
#pragma once

#include "agents/cacc.hpp"
#include "agents/eidm.hpp"
#include "agents/gipps.hpp"
#include "agents/idm.hpp"
#include "agents/krauss.hpp"
#include "agents/wagner.hpp"
#include "agents/wiedemann.hpp"
#include "agents/wiedemann99.hpp"

namespace jamiton {

// Models that reason by accelerations all along, also before stops and limits.
HD inline bool is_intelligent(FollowModel model) {
    return model == FollowModel::idm || model == FollowModel::idmm || model == FollowModel::eidm;
}

// IDM and its descendants. gap: bumper to bumper, m. Not inlined: most drivers are of Krauss' model.
__attribute__((noinline)) HD inline float intelligent_speed(const Driver& d, float speed, float desired, float gap,
                                                            float leader_speed, float min_gap, const Situation& s,
                                                            StepMethod m) {
    if (d.model == FollowModel::eidm) return eidm_speed(d, speed, desired, gap, leader_speed, min_gap, s, m.dt);
    if (d.model == FollowModel::idm) return idm_speed(d, speed, desired, gap, leader_speed, min_gap, m.dt);
    Driver remembering = d;
    remembering.tau = d.tau * idmm_headway_factor(d.special.idmm, s.own.phase);
    return idm_speed(remembering, speed, desired, gap, leader_speed, min_gap, m.dt);
}

// The others but Krauss, behind a leader. gap: less min_gap, m.
__attribute__((noinline)) HD inline float other_follow_speed(const Driver& d, float speed, float desired, float gap,
                                                             float leader_speed, float leader_decel, const Situation& s,
                                                             StepMethod m) {
    switch (d.model) {
        case FollowModel::acc: return acc_speed(d, speed, desired, gap, leader_speed, leader_decel, s, m);
        case FollowModel::cacc: return cacc_speed(d, speed, desired, gap, leader_speed, leader_decel, s, m);
        case FollowModel::krauss_original:  // SUMO has it for the Euler step only
            return m.ballistic ? krauss_follow_speed(d, speed, gap, leader_speed, leader_decel, m)
                               : krauss_original_speed(gap, leader_speed, d.decel, d.tau, m.dt);
        case FollowModel::gipps: return gipps_safe_speed(d, speed, gap, leader_speed, leader_decel, m.dt);
        case FollowModel::wagner: return wagner_speed(d, speed, desired, gap, leader_speed, s, m);
        case FollowModel::wiedemann: return wiedemann_speed(d, speed, desired, gap, leader_speed, s, m);
        case FollowModel::wiedemann99: return wiedemann99_speed(d, speed, desired, gap + d.min_gap, leader_speed, s, m);
        default: return intelligent_speed(d, speed, desired, gap + d.min_gap, leader_speed, d.min_gap, s, m);
    }
}

// Behind a leader. gap: own front to leader's back less min_gap, m; desired: speed wanted on the lane, m/s.
HD inline float follow_speed(const Driver& d, float speed, float desired, float gap, float leader_speed,
                             float leader_decel, StepMethod m, const Situation& s = {}) {
    if (d.model == FollowModel::krauss) return krauss_follow_speed(d, speed, gap, leader_speed, leader_decel, m);
    return other_follow_speed(d, speed, desired, gap, leader_speed, leader_decel, s, m);
}

// To a stop within gap, m.
HD inline float stop_speed(const Driver& d, float speed, float desired, float gap, StepMethod m,
                           const Situation& s = {}) {
    if (is_intelligent(d.model)) {
        if (gap < 0.01f) return 0;
        const float v = intelligent_speed(d, speed, desired, gap, 0, 0, s, m);
        return speed < 0.001f && v < 0.001f ? safe_stop_speed(gap, speed, d, d.decel, m)
                                            : v;  // creep up the last centimetres
    }
    if (d.model == FollowModel::krauss_original && !m.ballistic)
        return krauss_original_speed(gap, 0, d.decel, d.tau, m.dt);
    return safe_stop_speed(gap, speed, d, d.decel, m);
}

// Down (or up) to the limit of a lane that begins in `distance` m.
HD inline float approach_speed(const Driver& d, float speed, float desired, float distance, float limit, StepMethod m,
                               const Situation& s = {}) {
    if (is_intelligent(d.model)) {
        const float secure = limit * (d.tau + limit / (2 * square_root(d.accel * d.decel)));  // gap before an obstacle
        const float v = speed <= limit ? intelligent_speed(d, speed, desired, 1e6f, limit, 0, s, m)
                                       : intelligent_speed(d, speed, desired, max(distance, secure), 0, 0, s, m);
        const float gentle = max(limit, speed - d.decel * m.dt);  // the limit asks for no more than comfortable braking
        return distance < secure ? min(v, gentle) : v;
    }
    return speed_to_reach(distance, speed, limit, d, m);
}

// Without anybody ahead.
HD inline float free_speed(const Driver& d, float speed, float desired, StepMethod m, const Situation& s = {}) {
    if (is_intelligent(d.model)) return intelligent_speed(d, speed, desired, 1e6f, desired, 0, s, m);
    return d.model == FollowModel::gipps ? gipps_free_speed(d, speed, desired, m.dt) : desired;
}

// Whether the model needs more than the state of now.
HD inline bool remembers(const Driver& d) {
    const bool forgetful = d.model == FollowModel::krauss || d.model == FollowModel::idm ||
                           d.model == FollowModel::krauss_original || d.model == FollowModel::gipps;
    return !forgetful || d.action_steps > 1 || d.startup_delay > 0;
}

// What a driver remembers after a step of dt s that began like this. normal: standard normal random numbers.
HD inline DriverState next_driver_state(const Driver& d, const DriverState& before, float speed, float desired,
                                        float gap, const float (&normal)[3], float dt) {
    DriverState next = before;
    switch (d.model) {
        case FollowModel::acc: next.phase = acc_keeps_speed(gap, before.phase > 0); break;
        case FollowModel::cacc: next.phase = cacc_keeps_speed(d.special.cacc, speed, gap, before.phase > 0); break;
        case FollowModel::idmm: next.phase = idmm_level(d.special.idmm, before.phase, speed, desired, dt); break;
        case FollowModel::eidm:
            next.phase = min(1000.f, drive_off_time(speed, before.phase) + dt);
            next.drive_error = next_error(before.drive_error, d.special.eidm.drive_persistence, dt, normal[0]);
            next.gap_error = next_error(before.gap_error, d.special.eidm.estimate_persistence, dt, normal[1]);
            next.leader_error = next_error(before.leader_error, d.special.eidm.estimate_persistence, dt, normal[2]);
            break;
        default: break;
    }
    return next;
}

// Gap (less min_gap, m) that a follower needs behind a leader so that nobody brakes harder than comfortably.
HD inline float secure_gap(const Driver& follower, float follower_speed, float leader_speed, float leader_decel,
                           StepMethod m) {
    const float own = brake_gap(follower_speed, follower.decel, follower.tau, m);
    return max(0.f, own - brake_gap(leader_speed, max(follower.decel, leader_decel), 0, m));
}

}  // namespace jamiton
