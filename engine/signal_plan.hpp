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
    int next_begin = 0, next_count = 0;      // phases that may follow, among SignalPlan::next
    int member_begin = 0, member_count = 0;  // loops, ranges or connections that hold it, among SignalPlan::members
    int rival_begin = 0, rival_count = 0;    // ranges before a red link, among the same
    bool serves = false;                     // it has green, and no yellow
};

// An induction loop of a signal.
struct Loop {
    int lane = -1;
    float position = 0;         // m from lane start
    std::int64_t max_gap = 0;   // us
    std::int64_t patience = 0;  // us that a vehicle may stand on it before it no longer counts
};

// The lanes before a stop line on which vehicles are seen, from the stop line back.
struct DetectionRange {
    int piece_begin = 0, piece_count = 0;
    float least_loss = 0;  // s
};
struct RangePiece {
    int lane = -1;
    float begin = 0;  // m from lane start, up to its end
};

// Raw pointers for kernels.
struct SignalPlanView {
    const SignalProgram* programs = nullptr;
    const SignalPhase* phases = nullptr;
    const char* states = nullptr;
    const int *next = nullptr, *members = nullptr;
    const Loop* loops = nullptr;
    const int* link_begin = nullptr;  // links of a signal: [signal], [signal + 1]
};

struct SignalPlan {
    Array<SignalProgram> programs;
    Array<SignalPhase> phases;
    Array<char> states;
    Array<int> next, members, link_begin;
    Array<Loop> loops;
    Array<DetectionRange> ranges;
    Array<RangePiece> range_pieces;
    std::vector<std::string> ids;    // of programs
    std::vector<int> program_begin;  // programs of a signal: [signal], [signal + 1]

    SignalPlanView view() const;
    std::size_t bytes() const;
};

SignalPlan build_signal_plan(const NetworkDescription& description, const Network& network);

}  // namespace jamiton
