// What host and device code share: the HD mark and the few functions whose result must not depend on a library.
#pragma once

#include <cmath>
#include <cstdint>

#if defined(__CUDACC__)
#define HD __host__ __device__
#else
#define HD
#endif

namespace jamiton {

// Ternaries, not fminf and fmaxf: those differ on signed zeros between libraries.
template <class T>
HD constexpr T min(T a, T b) {
    return b < a ? b : a;
}
template <class T>
HD constexpr T max(T a, T b) {
    return a < b ? b : a;
}
template <class T>
HD constexpr T clamp(T x, T low, T high) {
    return x < low ? low : (high < x ? high : x);
}

// Asks for the cache line at this address; nothing on the device.
HD inline void prefetch([[maybe_unused]] const void* address) {
#if !defined(__CUDA_ARCH__)
    __builtin_prefetch(address);
    asm volatile("" ::"r"(address));  // else GCC takes its callers for functions without effect and drops the calls
#endif
}

// The square root is correctly rounded on both back ends.
HD inline float square_root(float x) { return sqrtf(x); }

}  // namespace jamiton
