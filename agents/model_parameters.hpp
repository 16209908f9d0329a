// Parameters of the car-following models beside those that all share. Names and defaults are those of SUMO's
// attributes.
#pragma once

#include "engine/core/hd.hpp"

namespace jamiton {

struct IdmmParameters {
    float adapt_factor = 1.8f;  // headway in a jam over headway on a free road
    float adapt_time = 600;     // s, over which the past is remembered
};

// Gains in 1/s (speed) and 1/s^2 (space).
struct AccParameters {
    float speed_control = -0.4f;
    float closing_speed = 0.8f, closing_space = 0.04f;
    float gap_speed = 0.07f, gap_space = 0.23f;
    float avoidance_speed = 0.23f, avoidance_space = 0.8f;
    float override_margin = 2;  // m/s above what Krauss holds for safe
};

// Behind another vehicle of its kind; behind others it drives with the gains of ACC.
struct CaccParameters {
    float speed_control = -0.4f;
    float closing_gap = 0.005f, closing_gap_dot = 0.05f;
    float gap = 0.45f, gap_dot = 0.0125f;
    float avoidance_gap = 0.45f, avoidance_gap_dot = 0.05f;
    float headway_to_acc = 1;         // s, wanted behind a vehicle of another kind
    float speed_control_gap = 1.66f;  // m below which it never merely keeps its speed
    float override_margin = 2;        // m/s above what Krauss holds for safe
};

struct EidmParameters {
    float preview = 4;                                       // s of sight for lower limits
    float drive_persistence = 3, estimate_persistence = 10;  // s, correlation of errors
    float coolness = 0.99f;
    float leader_error = 0.02f, gap_error = 0.1f, drive_error = 0.1f;
    float jerk_max = 3;                // m/s^3
    float accel_time = 1.2f;           // s from standstill to full acceleration
    float flatness = 2, begin = 0.7f;  // of the curve between
};

struct WiedemannParameters {
    float security = 0.5f, estimation = 0.5f;
};

struct Wiedemann99Parameters {
    float headway = 1.3f;             // cc1, s
    float variation = 8;              // cc2, m
    float following_time = -12;       // cc3, s
    float slower = -0.25f;            // cc4, m/s
    float faster = 0.35f;             // cc5, m/s
    float oscillation = 6;            // cc6, 1e-4 rad/s
    float oscillation_accel = 0.25f;  // cc7, m/s^2
    float standstill_accel = 2;       // cc8, m/s^2
    float accel_80 = 1.5f;            // cc9, m/s^2 at 80 km/h
};

struct WagnerParameters {
    float last_tau = 0.3f;            // s, headway below which it never drives
    float action_probability = 0.5f;  // of a new decision, per step
};

// Those of one model.
union ModelParameters {
    IdmmParameters idmm;
    EidmParameters eidm;
    AccParameters acc;
    CaccParameters cacc;
    WagnerParameters wagner;
    WiedemannParameters wiedemann;
    Wiedemann99Parameters wiedemann99;

    HD constexpr ModelParameters() : idmm() {}
};

}  // namespace jamiton
