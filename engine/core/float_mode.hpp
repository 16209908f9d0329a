// Libraries built with -ffast-math switch flush-to-zero on for the thread that loads them, which would change results.
#pragma once

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace jamiton {

// Round to nearest, denormals kept. Called at the start of every run and of every worker thread.
inline void set_float_mode() {
#if defined(__x86_64__)
    constexpr unsigned flush_to_zero = 0x8000, denormals_are_zero = 0x0040, rounding = 0x6000;
    _mm_setcsr(_mm_getcsr() & ~(flush_to_zero | denormals_are_zero | rounding));
#endif
}

}  // namespace jamiton
