// Intelligent Driver Model (Treiber, Hennecke, Helbing: Congested traffic states in empirical observations and
// microscopic simulations, Phys. Rev. E 62, 2000), integrated in steps of `stepping` seconds inside a simulation step.
#pragma once

#include "agents/braking.hpp"

namespace jamiton {

// base^exponent for the exponents in use: squares for 4 and 2, repeated products for other whole numbers.
HD inline float whole_power(float base, float exponent) {
    float result = 1;
    for (int n = static_cast<int>(exponent + 0.5f); n > 0; --n) result *= base;
    return result;
}

// Speed after dt. gap: bumper to bumper, m; min_gap: standing distance wanted, m.
HD inline float idm_speed(const Driver& d, float speed, float desired, float gap, float leader_speed, float min_gap,
                          float dt) {
    const int parts = max(1, static_cast<int>(dt / d.stepping + 0.5f));
    const float part = dt / static_cast<float>(parts);
    float v = speed, room = gap;
    for (int k = 0; k < parts; ++k) {
        const float approach = v - leader_speed;
        const float wanted = min_gap + max(0.f, v * d.tau + v * approach / (2 * square_root(d.accel * d.decel)));
        const float interaction = wanted / max(room, 0.01f);
        v = max(0.f,
                v + part * d.accel * (1 - whole_power(v / max(desired, 0.01f), d.delta) - interaction * interaction));
        room -= max(0.f, v - leader_speed) * part;
    }
    return v;
}

// IDM with memory (Treiber, Helbing: Memory effects in microscopic traffic models and wide scattering in flow-density
// data, Phys. Rev. E 68, 2003): who has driven slowly for long keeps a longer headway. level: of service, 1 on a free
// road.
HD inline float idmm_headway_factor(const IdmmParameters& p, float level) {
    return p.adapt_factor + level * (1 - p.adapt_factor);
}
HD inline float idmm_level(const IdmmParameters& p, float level, float speed, float desired, float dt) {
    return level + (speed / max(desired, 0.01f) - level) / p.adapt_time * dt;
}

}  // namespace jamiton
