// Parameters of one vehicle type as kernels read them: SUMO's attributes, SI units.
#pragma once

#include <cstdint>

#include "agents/model_parameters.hpp"
#include "engine/core/hd.hpp"

namespace jamiton {

enum class FollowModel : std::uint8_t {
    krauss,
    idm,
    idmm,
    eidm,
    acc,
    cacc,
    krauss_original,
    wagner,
    wiedemann,
    wiedemann99,
    gipps
};

struct Driver {
    float length = 5, min_gap = 2.5f, width = 1.8f;    // m
    float accel = 2.6f, decel = 4.5f;                  // m/s^2, comfortable
    float emergency_decel = 9, apparent_decel = 4.5f;  // m/s^2: what it can do; what others expect of it
    float sigma = 0.5f;                                // imperfection, 0..1
    float tau = 1;                                     // desired headway, s
    float max_speed = 55.556f;                         // m/s
    float delta = 4, stepping = 0.25f;                 // IDM exponent; IDM internal step, s
    float impatience = 0;
    float lc_strategic = 1, lc_cooperative = 1, lc_speed_gain = 1, lc_keep_right = 1, lc_lookahead_left = 2;
    float lc_speed_gain_right = 0.1f, lc_assertive = 1, lc_overtake_right = 0, lc_cooperative_roundabout = 1;
    float jm_stopline_gap = 1, jm_timegap_minor = 1;  // m, s
    std::uint8_t vehicle_class = 0;                   // VehicleClass
    FollowModel model = FollowModel::krauss;
    bool minds_friction = false;    // drives slower where the lane is slippery
    std::uint8_t action_steps = 1;  // steps from one decision to the next
    float startup_delay = 0;        // s
    // At junctions. Times in s, below 0: never.
    float jm_drive_after_yellow = -1, jm_drive_after_red = -1, jm_ignore_keep_clear = -1;
    float jm_drive_red_speed = -1, jm_ignore_foe_speed = 0;  // m/s
    float jm_ignore_foe_prob = 0, jm_ignore_junction_foe_prob = 0, jm_sigma_minor = -1;
    ModelParameters special;  // of the model that it drives by
};

// How a run integrates motion.
struct StepMethod {
    float dt = 1;            // s
    bool ballistic = false;  // x += (v_old + v_new) / 2 dt instead of x += v_new dt
};

}  // namespace jamiton
