// Signal programs and their detectors as kernels read them: built once from the description.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "engine/core/array.hpp"
#include "engine/network.hpp"

namespace jamiton {

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();  // ms

struct SignalProgram {
    SignalType type = SignalType::static_;
    int signal = -1;
    int phase_begin = 0, phase_count = 0;
    std::int64_t cycle = 0, offset = 0;  // ms
};

struct SignalPhase {
    std::int64_t duration = 0;         // ms, of programs that do not react to traffic, and to find the first phase
    std::int64_t least = 0, most = 0;  // ms that it lasts in programs that react to traffic
    int state_begin = 0, state_count = 0;
    int next_begin = 0, next_count = 0;  // phases that may follow, among SignalPlan::next
    int loop_begin = 0, loop_count = 0;  // loops that hold it, among SignalPlan::phase_loops
};

// An induction loop of a signal.
struct Loop {
    int lane = -1;
    float position = 0;        // m from lane start
    std::int64_t max_gap = 0;  // us
};

// Raw pointers for kernels.
struct SignalPlanView {
    const SignalProgram* programs = nullptr;
    const SignalPhase* phases = nullptr;
    const char* states = nullptr;
    const int *next = nullptr, *phase_loops = nullptr;
    const Loop* loops = nullptr;
    const int* link_begin = nullptr;  // links of a signal: [signal], [signal + 1]
};

struct SignalPlan {
    Array<SignalProgram> programs;
    Array<SignalPhase> phases;
    Array<char> states;
    Array<int> next, phase_loops, link_begin;
    Array<Loop> loops;
    std::vector<std::string> ids;    // of programs
    std::vector<int> program_begin;  // programs of a signal: [signal], [signal + 1]

    SignalPlanView view() const;
    std::size_t bytes() const;
};

SignalPlan build_signal_plan(const NetworkDescription& description, const Network& network);

}  // namespace jamiton
