// Counter-based random numbers: Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel Random Numbers: As Easy as 1, 2, 3,
// SC 2011). A draw depends on (seed, vehicle, step, purpose) alone, never on who draws before.
#pragma once

#include <array>
#include <cstdint>

#include "engine/core/hd.hpp"

namespace jamiton {

enum class Purpose : std::uint32_t {
    dawdle,
    speed_factor,
    type,
    route,
    flow,
    depart,
    lane_change,
    action,
    foe,
    friction,
    device,
    rerouter
};

struct RandomWords {
    std::uint32_t word[4];
};

HD inline RandomWords philox(std::uint64_t seed, std::uint32_t c0, std::uint32_t c1, std::uint32_t c2,
                             std::uint32_t c3 = 0) {
    std::uint32_t x0 = c0, x1 = c1, x2 = c2, x3 = c3;
    std::uint32_t k0 = static_cast<std::uint32_t>(seed), k1 = static_cast<std::uint32_t>(seed >> 32);
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t p0 = std::uint64_t{0xD2511F53u} * x0, p1 = std::uint64_t{0xCD9E8D57u} * x2;
        x0 = static_cast<std::uint32_t>(p1 >> 32) ^ x1 ^ k0;
        x1 = static_cast<std::uint32_t>(p1);
        x2 = static_cast<std::uint32_t>(p0 >> 32) ^ x3 ^ k1;
        x3 = static_cast<std::uint32_t>(p0);
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return {{x0, x1, x2, x3}};
}

HD inline RandomWords draw(std::uint64_t seed, std::uint32_t vehicle, std::uint32_t step, Purpose purpose) {
    return philox(seed, vehicle, step, static_cast<std::uint32_t>(purpose));
}

// Uniform in [0, 1) with 24 bits, exact in float.
HD inline float uniform(std::uint32_t word) { return static_cast<float>(word >> 8) * (1.0f / 16777216.0f); }

// Nearly standard normal: the sum of the four bytes as uniform numbers.
HD inline float nearly_normal(std::uint32_t word) {
    const std::uint32_t sum = (word & 255) + (word >> 8 & 255) + (word >> 16 & 255) + (word >> 24);
    return (static_cast<float>(sum) - 510) / 147.8f;
}

// For draws at load time, on the host: like draw(), with a third part of the key (see engine/departures.hpp).
struct DrawKey {
    std::uint64_t seed = 0;
    std::uint32_t number = 0, group = 0;
    std::uint32_t first = 0;  // counters from here on
};

inline RandomWords draw(const DrawKey& key, Purpose purpose) {
    return philox(key.seed, key.number, key.first, static_cast<std::uint32_t>(purpose), key.group);
}

// Uniform in [0, 1) with 32 bits, exact in double.
inline double uniform_double(std::uint32_t word) { return word / 4294967296.0; }

// Standard normal, Marsaglia's polar method on successive counters. Host only, used at load time.
double normal(const DrawKey& key, Purpose purpose);

// Exponential with mean 1. Host only, used at load time.
double exponential(const DrawKey& key, Purpose purpose);

}  // namespace jamiton
