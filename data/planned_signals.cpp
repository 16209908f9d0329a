#include "data/planned_signals.hpp"

#include <algorithm>
#include <cmath>

namespace jamiton {

namespace {

// Per link the stage in which it has green.
std::vector<int> stages_of(std::span<const JunctionLink> links, int& stages) {
    std::vector<int> stage_of(links.size(), -1);
    stages = 0;
    for (std::size_t i = 0; i < links.size(); ++i) {
        if (stage_of[i] >= 0) continue;
        std::size_t opposite = i;
        for (std::size_t j = i; j < links.size() && opposite == i; ++j) {
            if (stage_of[j] < 0 && oncoming(links[i], links[j])) opposite = j;
        }
        for (std::size_t j = i; j < links.size(); ++j) {
            if (links[j].arm == links[i].arm || links[j].arm == links[opposite].arm) stage_of[j] = stages;
        }
        ++stages;
    }
    return stage_of;
}

// Lanes of the widest arm of the stage.
int width_of(std::span<const JunctionLink> links, const std::vector<int>& stage_of, int stage) {
    int lanes = 0;
    for (std::size_t i = 0; i < links.size(); ++i) {
        if (stage_of[i] == stage) lanes = std::max(lanes, links[i].from_lane + 1);
    }
    return lanes;
}

std::string green_state(const RightOfWayTable& table, const std::vector<int>& stage_of, int stage) {
    std::string state(stage_of.size(), 'r');
    for (int i = 0; i < table.size(); ++i) {
        if (stage_of[i] != stage) continue;
        state[i] = 'G';
        for (int j = 0; j < table.size(); ++j) {
            if (stage_of[j] == stage && table.yields(i, j)) state[i] = 'g';
        }
    }
    return state;
}

void add_phase(ProgramDescription& program, double duration, const std::string& state) {
    PhaseDescription phase;
    phase.duration = duration;
    phase.state = state;
    if (duration > 0) program.phases.push_back(phase);
}

}  // namespace

ProgramDescription make_program(std::span<const JunctionLink> links, const RightOfWayTable& table,
                                const SignalTiming& timing) {
    int stages = 0, lanes = 0;
    const std::vector<int> stage_of = stages_of(links, stages);
    for (int stage = 0; stage < stages; ++stage) lanes += width_of(links, stage_of, stage);
    const double green_time = timing.cycle - stages * (timing.yellow + timing.clearance);

    ProgramDescription program;
    program.id = "0";
    program.offset = timing.offset;
    for (int stage = 0; stage < stages; ++stage) {
        const double share = std::round(green_time * width_of(links, stage_of, stage) / lanes);
        const std::string green = green_state(table, stage_of, stage);
        std::string yellow = green;
        for (char& letter : yellow) letter = letter == 'r' ? 'r' : 'y';
        add_phase(program, std::max(share, timing.least_green), green);
        add_phase(program, timing.yellow, yellow);
        add_phase(program, timing.clearance, std::string(green.size(), 'r'));
    }
    return program;
}

}  // namespace jamiton
