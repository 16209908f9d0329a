#include <algorithm>
#include <cmath>

#include "engine/simulation.hpp"

namespace jamiton {
namespace {

void set_model(Driver& d, const VehicleType& t) {
    switch (t.car_follow) {
        case CarFollowModel::krauss: d.model = FollowModel::krauss; break;
        case CarFollowModel::krauss_orig1: d.model = FollowModel::krauss_original; break;
        case CarFollowModel::gipps: d.model = FollowModel::gipps; break;
        case CarFollowModel::idm: d.model = FollowModel::idm; break;
        case CarFollowModel::idmm:
            d.model = FollowModel::idmm;
            d.special.idmm = t.idmm;
            break;
        case CarFollowModel::eidm:
            d.model = FollowModel::eidm;
            d.special.eidm = t.eidm;
            break;
        case CarFollowModel::acc:
            d.model = FollowModel::acc;
            d.special.acc = t.acc;
            break;
        case CarFollowModel::cacc:
            d.model = FollowModel::cacc;
            d.special.cacc = t.cacc;
            break;
        case CarFollowModel::p_wagner_2009:
            d.model = FollowModel::wagner;
            d.special.wagner = t.wagner;
            break;
        case CarFollowModel::wiedemann:
            d.model = FollowModel::wiedemann;
            d.special.wiedemann = t.wiedemann;
            break;
        case CarFollowModel::wiedemann99:
            d.model = FollowModel::wiedemann99;
            d.special.wiedemann99 = t.wiedemann99;
            d.accel = t.wiedemann99.standstill_accel;
            break;
    }
}

// Steps between decisions: whole, at least one.
std::uint8_t action_steps(double length, double step) {
    return static_cast<std::uint8_t>(std::clamp(std::floor(length / step + 0.5), 1.0, 255.0));
}

}  // namespace

std::vector<Driver> drivers_of(const std::vector<VehicleType>& types, double step) {
    std::vector<Driver> drivers;
    for (const VehicleType& t : types) {
        Driver d;
        d.length = t.length;
        d.min_gap = t.min_gap;
        d.width = t.width;
        d.accel = t.accel;
        d.decel = t.decel;
        d.emergency_decel = std::max(t.emergency_decel, t.decel);
        d.apparent_decel = t.apparent_decel;
        d.sigma = t.sigma;
        d.tau = t.tau;
        d.max_speed = std::min(t.max_speed, t.desired_max_speed);
        d.delta = t.delta;
        d.stepping = t.stepping;
        d.impatience = t.impatience;
        d.lc_strategic = t.lc_strategic;
        d.lc_cooperative = t.lc_cooperative;
        d.lc_speed_gain = t.lc_speed_gain;
        d.lc_keep_right = t.lc_keep_right;
        d.lc_lookahead_left = t.lc_lookahead_left;
        d.lc_speed_gain_right = t.lc_speed_gain_right;
        d.lc_assertive = t.lc_assertive;
        d.lc_overtake_right = t.lc_overtake_right;
        d.lc_cooperative_roundabout = t.lc_cooperative_roundabout < 0 ? t.lc_cooperative : t.lc_cooperative_roundabout;
        d.jm_stopline_gap = t.jm_stopline_gap;
        d.jm_timegap_minor = t.jm_timegap_minor;
        d.jm_drive_after_yellow = t.jm_drive_after_yellow;
        d.jm_drive_after_red = t.jm_drive_after_red;
        d.jm_drive_red_speed = t.jm_drive_red_speed;
        d.jm_ignore_keep_clear = t.jm_ignore_keep_clear;
        d.jm_ignore_foe_speed = t.jm_ignore_foe_speed;
        d.jm_ignore_foe_prob = t.jm_ignore_foe_prob;
        d.jm_ignore_junction_foe_prob = t.jm_ignore_junction_foe_prob;
        d.jm_sigma_minor = t.jm_sigma_minor;
        d.minds_friction = t.friction_device;
        d.vehicle_class = static_cast<std::uint8_t>(t.vehicle_class);
        d.startup_delay = t.startup_delay;
        d.action_steps = action_steps(t.action_step_length, step);
        set_model(d, t);
        drivers.push_back(d);
    }
    return drivers;
}

}  // namespace jamiton
