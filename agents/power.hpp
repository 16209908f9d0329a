// Exponentials for the models that need them, from + - * / alone: the same bits on every machine.
#pragma once

#include "engine/core/hd.hpp"

namespace jamiton {

// 2^x for |x| < 126, relative error below 2e-7.
HD inline float exp2_of(float x) {
    x = clamp(x, -125.f, 125.f);
    const float whole = floorf(x + 0.5f);
    const float r = (x - whole) * 0.69314718f;  // |r| <= 0.35: Taylor to r^7
    float sum = 1;
    for (int k = 7; k >= 1; --k) sum = 1 + sum * r / static_cast<float>(k);
    const std::uint32_t bits = static_cast<std::uint32_t>(static_cast<int>(whole) + 127) << 23;
    float scale = 0;
    static_assert(sizeof scale == sizeof bits);
    __builtin_memcpy(&scale, &bits, sizeof scale);
    return sum * scale;
}

// Logarithm to base 2 of a positive normal number, absolute error below 1e-6.
HD inline float log2_of(float x) {
    std::uint32_t bits = 0;
    __builtin_memcpy(&bits, &x, sizeof bits);
    int exponent = static_cast<int>(bits >> 23) - 127;
    bits = (bits & 0x7FFFFFu) | 0x3F800000u;
    float m = 1;
    __builtin_memcpy(&m, &bits, sizeof m);
    if (m > 1.4142135f) {
        m /= 2;
        ++exponent;
    }
    const float z = (m - 1) / (m + 1), z2 = z * z;
    float sum = 0;
    for (int k = 9; k >= 1; k -= 2) sum = sum * z2 + 1 / static_cast<float>(k);  // 2 atanh(z)
    return static_cast<float>(exponent) + 2.88539008f * z * sum;
}

// base^exponent for base >= 0.
HD inline float power(float base, float exponent) {
    return base < 1e-30f ? (exponent > 0 ? 0.f : 1.f) : exp2_of(exponent * log2_of(base));
}

HD inline float tanh_of(float x) { return 1 - 2 / (exp2_of(2.88539008f * clamp(x, -20.f, 20.f)) + 1); }

}  // namespace jamiton
