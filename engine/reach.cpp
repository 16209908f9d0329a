#include "engine/reach.hpp"

#include <algorithm>

namespace jamiton {

void set_reach(Network& network, const std::vector<VehicleType>& types, double step) {
    bool far_sighted = false;  // models other than Krauss react to the end of their lane wherever they are on it
    float factor = 1, decel = 100, tau = 0, accel = 0, top = 0;
    for (const VehicleType& t : types) {
        factor = std::max(factor, t.speed_factor.max);
        decel = std::min(decel, t.decel);
        tau = std::max(tau, t.tau);
        accel = std::max(accel, t.accel);
        top = std::max(top, t.max_speed);
        far_sighted = far_sighted || t.car_follow != CarFollowModel::krauss;
    }
    const float dt = static_cast<float>(step);
    for (Lane& lane : network.lanes) {
        const float fastest = std::min(lane.speed_limit * factor, top) + accel * dt;
        const float braking = fastest * (dt + tau) + fastest * fastest / (2 * decel);
        const float registering = fastest * 10;  // s before arrival at which approaches are registered
        lane.reach = std::max({braking, registering, far_sighted ? lane.length : 0}) + 50;
    }
}

}  // namespace jamiton
