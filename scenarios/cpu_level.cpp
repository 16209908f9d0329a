// Compiled for the oldest x86-64, unlike the rest, so that a CPU too old for the program gets to read why.
#include "scenarios/cpu_level.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstring>

namespace jamiton {

int cpu_level() {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("sse4.2") || !__builtin_cpu_supports("popcnt")) return 1;
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi2")) return 2;
    if (!__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512dq") ||
        !__builtin_cpu_supports("avx512vl")) {
        return 3;
    }
    return 4;
#else
    return 0;
#endif
}

namespace {

// Runs before the constructors of all other files (101 is the first priority free to programs).
[[gnu::constructor(101)]] void check_cpu() {
    int wanted = 0;
    if (std::sscanf(JAMITON_ARCH, "x86-64-v%d", &wanted) != 1 || cpu_level() >= wanted) return;
    char line[300];
    std::snprintf(line, sizeof line,
                  "jamiton: error: built for %s, but this CPU is x86-64-v%d. Build with: cmake --preset release "
                  "-DJAMITON_ARCH=x86-64 && cmake --build build/release\n",
                  JAMITON_ARCH, cpu_level());
    [[maybe_unused]] const auto written = write(STDERR_FILENO, line, std::strlen(line));
    _exit(1);
}

}  // namespace
}  // namespace jamiton
