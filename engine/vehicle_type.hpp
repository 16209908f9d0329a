// What drivers and vehicles of one type are like: SUMO's vType with every default filled in.
#pragma once

#include <string>

#include "agents/model_parameters.hpp"
#include "engine/vehicle_class.hpp"

namespace jamiton {

enum class CarFollowModel : std::uint8_t {
    krauss,
    krauss_orig1,
    idm,
    idmm,
    eidm,
    acc,
    cacc,
    wiedemann99,
    wiedemann,
    p_wagner_2009,
    gipps
};
enum class LaneChangeModel : std::uint8_t { lc2013, sl2015, dk2008 };

// Normal distribution of the speed factor, cut to [min, max].
struct SpeedFactorDistribution {
    float mean = 1, deviation = 0.1f, min = 0.2f, max = 2;
};

// Whether a vehicle is routed again (RoutingOptions), where a type or vehicle says so.
struct ReroutingDevice {
    std::int8_t present = -1;  // 0 or 1, -1 not said
    double period = -1;        // s, -1 not said
};

struct VehicleType {
    std::string id;
    VehicleClass vehicle_class = VehicleClass::passenger;
    float length = 5, min_gap = 2.5f, width = 1.8f, height = 1.5f;                 // m
    float accel = 2.6f, decel = 4.5f, emergency_decel = 9, apparent_decel = 4.5f;  // m/s^2
    float max_speed = 55.556f;                                                     // m/s
    float desired_max_speed = 2778;                                                // m/s
    float sigma = 0.5f;                                                            // driver imperfection, 0 to 1
    float tau = 1;                                                                 // desired headway, s
    SpeedFactorDistribution speed_factor;
    CarFollowModel car_follow = CarFollowModel::krauss;
    LaneChangeModel lane_change = LaneChangeModel::lc2013;
    float delta = 4;         // IDM exponent
    float stepping = 0.25f;  // IDM internal step, s
    // Each model reads its own ones.
    IdmmParameters idmm;
    EidmParameters eidm;
    AccParameters acc;
    CaccParameters cacc;
    WagnerParameters wagner;
    WiedemannParameters wiedemann;
    Wiedemann99Parameters wiedemann99;
    float impatience = 0;          // -1..1; time-to-impatience adds to it
    float action_step_length = 0;  // s, 0: the simulation step
    float startup_delay = 0;       // s
    // lane changing (LC2013)
    float lc_strategic = 1, lc_cooperative = 1, lc_speed_gain = 1, lc_keep_right = 1, lc_lookahead_left = 2;
    float lc_speed_gain_right = 0.1f, lc_assertive = 1, lc_overtake_right = 0, lc_speed_gain_lookahead = 0;
    float lc_cooperative_speed = -1, lc_cooperative_roundabout = -1, lc_overtake_delta_speed_factor = 0;
    float lc_keep_right_acceptance_time = -1;
    // junctions: -1 not set
    float jm_crossing_gap = 10, jm_drive_after_yellow = -1, jm_drive_after_red = -1, jm_drive_red_speed = -1;
    float jm_ignore_keep_clear = -1, jm_ignore_foe_speed = 0, jm_ignore_foe_prob = 0, jm_ignore_junction_foe_prob = 0;
    float jm_sigma_minor = -1, jm_stopline_gap = 1, jm_timegap_minor = 1;
    bool friction_device = false;  // drives slower on slippery lanes
    float probability = 1;         // weight inside a distribution
    float scale = 1;               // vehicles of it are made this often
    std::string color, gui_shape;  // as in the file, for results and drawing only
    ReroutingDevice rerouting;
    std::int8_t recorded = -1;  // whether its trips are counted: 0 or 1, -1 not said
};

// SUMO's defaults for a type of this class (length, speeds, accelerations, spread of the speed factor, ...).
// Source: SUMO documentation, "Vehicle Type Parameter Defaults", release 1.15.
VehicleType default_vehicle_type(VehicleClass c);

}  // namespace jamiton
