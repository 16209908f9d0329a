#include "engine/reach.hpp"

#include <algorithm>

namespace jamiton {

void set_reach(Network& network, const std::vector<VehicleType>& types, double step) {
    float factor = 1, decel = 100, tau = 0, accel = 0, top = 0;
    for (const VehicleType& t : types) {
        factor = std::max(factor, t.speed_factor.max);
        decel = std::min(decel, t.decel);
        tau = std::max(tau, t.tau);
        accel = std::max(accel, t.accel);
        top = std::max(top, t.max_speed);
    }
    const float dt = static_cast<float>(step);
    for (Lane& lane : network.lanes) {
        const float fastest = std::min(lane.speed_limit * factor, top) + accel * dt;
        const float braking = fastest * (dt + tau) + fastest * fastest / (2 * decel);
        const float registering = fastest * 10;  // s before arrival at which approaches are registered
        lane.reach = std::max(braking, registering) + 50;
    }
}

}  // namespace jamiton
