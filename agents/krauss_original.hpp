// The model of Krauss, Wagner, Gawron: Metastable states in a microscopic model of traffic flow, Phys. Rev. E 55, 1997,
// in continuous time: safe if both brake with decel after a headway of tau.
#pragma once

#include "agents/driver.hpp"

namespace jamiton {

// gap: less min_gap, m. Before what stands the last step may be as fast as one step of braking can stop.
HD inline float krauss_original_speed(float gap, float leader_speed, float decel, float tau, float dt) {
    if (gap < 0) return 0;
    const float b = decel * tau;
    const float safe = square_root(b * b + leader_speed * leader_speed + 2 * decel * gap) - b;
    return leader_speed > 0 ? safe : max(safe, min(decel * dt, gap / dt));
}

}  // namespace jamiton
