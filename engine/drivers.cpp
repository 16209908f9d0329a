#include "engine/simulation.hpp"

namespace jamiton {

std::vector<Driver> drivers_of(const std::vector<VehicleType>& types) {
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
        d.jm_stopline_gap = t.jm_stopline_gap;
        d.jm_timegap_minor = t.jm_timegap_minor;
        d.ignores_keep_clear = t.jm_ignore_keep_clear == 0;
        d.vehicle_class = static_cast<std::uint8_t>(t.vehicle_class);
        switch (t.car_follow) {
            case CarFollowModel::krauss: d.model = FollowModel::krauss; break;
            case CarFollowModel::idm: d.model = FollowModel::idm; break;
            default: d.model = FollowModel::krauss;  // the readers have said that the model is not simulated
        }
        drivers.push_back(d);
    }
    return drivers;
}

}  // namespace jamiton
