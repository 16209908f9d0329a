#include "engine/signals.hpp"

#include <cmath>

namespace jamiton {
namespace {

struct Advance {
    const Signals::Program* programs;
    const Signals::Phase* phases;
    const char* states;
    char* link_state;
    int* current;
    std::int64_t time;

    HD void operator()(int s) const {
        const Signals::Program& p = programs[s];
        if (p.phase_count == 0) return;
        std::int64_t at = (time - p.offset) % p.cycle;
        if (at < 0) at += p.cycle;
        int phase = p.phase_begin;
        while (phase + 1 < p.phase_begin + p.phase_count && phases[phase].end <= at) ++phase;
        if (current[s] == phase - p.phase_begin) return;
        current[s] = phase - p.phase_begin;
        for (int n = 0; n < p.link_count && n < phases[phase].state_count; ++n)
            link_state[p.link_begin + n] = states[phases[phase].state_begin + n];
    }
};

}  // namespace

Signals::Signals(const NetworkDescription& d, const Network& network) {
    std::vector<Program> programs;
    std::vector<Phase> phases;
    std::string states;
    for (std::size_t s = 0; s < d.signals.size(); ++s) {
        Program p;
        p.link_begin = network.signal_link_begin[s];
        p.link_count = network.signal_link_begin[s + 1] - p.link_begin;
        p.phase_begin = static_cast<int>(phases.size());
        program_ids_.emplace_back();
        if (!d.signals[s].programs.empty()) {
            const ProgramDescription& chosen = d.signals[s].programs.back();
            program_ids_.back() = chosen.id;
            p.offset = std::llround(chosen.offset * 1000);
            for (const PhaseDescription& phase : chosen.phases) {
                p.cycle += std::llround(phase.duration * 1000);
                phases.push_back({p.cycle, static_cast<int>(states.size()), static_cast<int>(phase.state.size())});
                states += phase.state;
            }
        }
        p.phase_count = p.cycle > 0 ? static_cast<int>(phases.size()) - p.phase_begin : 0;
        programs.push_back(p);
    }
    programs_ = Array<Program>(programs);
    phases_ = Array<Phase>(phases);
    states_ = Array<char>(std::vector<char>(states.begin(), states.end()));
    link_state_.resize(network.signal_link_begin[d.signals.size()]);
    link_state_.fill('O');
    current_.resize(d.signals.size());
    current_.fill(-1);
    before_.resize(d.signals.size());
}

void Signals::advance(const Exec& exec, std::int64_t time_ms) {
    for (std::size_t s = 0; s < current_.size(); ++s) before_[s] = current_[s];
    parallel_for(
        exec, count(),
        Advance{programs_.data(), phases_.data(), states_.data(), link_state_.data(), current_.data(), time_ms});
    synchronize(exec);
}

std::vector<SignalSwitch> Signals::switches(double time) const {
    std::vector<SignalSwitch> result;
    for (std::size_t s = 0; s < current_.size(); ++s) {
        if (current_[s] == before_[s]) continue;
        const Phase& phase = phases_[programs_[s].phase_begin + current_[s]];
        result.push_back({time, static_cast<std::int32_t>(s), current_[s], program_ids_[s],
                          std::string(&states_[phase.state_begin], static_cast<std::size_t>(phase.state_count))});
    }
    return result;
}

}  // namespace jamiton
