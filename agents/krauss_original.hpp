// The model of Krauss, Wagner, Gawron: Metastable states in a microscopic model of traffic flow, Phys. Rev. E 55, 1997,
// in continuous time: safe if both brake with decel after a headway of tau.
#pragma once

#include "agents/driver.hpp"

namespace jamiton {

// gap: less min_gap, m.
HD inline float krauss_original_speed(float gap, float leader_speed, float decel, float tau) {
    if (gap < 0) return 0;
    const float b = decel * tau;
    return square_root(b * b + leader_speed * leader_speed + 2 * decel * gap) - b;
}

}  // namespace jamiton
