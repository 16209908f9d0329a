#include "engine/signals.hpp"

#include <algorithm>
#include <string>

namespace jamiton {
namespace {

struct Advance {
    SignalController control;
    SignalState* signals;
    char* link_state;
    int *changed, *changed_count;

    HD void operator()(int s) const {
        SignalState& signal = signals[s];
        if (control.time < signal.due) return;
        const int before = signal.phase;
        control.advance(signal);
        if (signal.phase == before) return;
        changed[atomic_add(changed_count, 1)] = s;
        const SignalPlanView& plan = control.plan;
        const SignalPhase& phase = control.phase_of(signal);
        const int begin = plan.link_begin[s], count = min(plan.link_begin[s + 1] - begin, phase.state_count);
        for (int n = 0; n < count; ++n) link_state[begin + n] = plan.states[phase.state_begin + n];
    }
};

}  // namespace

Signals::Signals(const NetworkDescription& description, const Network& network)
    : plan_(build_signal_plan(description, network)),
      signals_(description.signals.size()),
      link_state_(static_cast<std::size_t>(network.signal_link_begin[description.signals.size()])),
      loops_(plan_.loops.size()),
      changed_(description.signals.size()),
      changed_count_(1) {
    link_state_.fill('O');
    for (std::size_t s = 0; s < signals_.size(); ++s) {
        signals_[s] = SignalState{};
        const int last = plan_.program_begin[s + 1] - 1;
        if (last >= plan_.program_begin[s]) signals_[s].program = last;
        signals_[s].due = signals_[s].program < 0 ? never : std::numeric_limits<std::int64_t>::min();
    }
}

void Signals::advance(const Exec& exec, std::int64_t time_ms, const World& world) {
    changed_count_[0] = 0;
    read_loops(exec, world, plan_.loops, loops_, time_ms * 1000);
    const SignalController control{plan_.view(), world, loops_.data(), time_ms};
    parallel_for(exec, count(),
                 Advance{control, signals_.data(), link_state_.data(), changed_.data(), changed_count_.data()});
    synchronize(exec);
}

std::vector<SignalSwitch> Signals::switches(double time) const {
    std::vector<int> changed(changed_.begin(), changed_.begin() + changed_count_[0]);
    std::ranges::sort(changed);
    std::vector<SignalSwitch> result;
    for (const int s : changed) {
        const SignalState& signal = signals_[s];
        const int begin = plan_.link_begin[s], end = plan_.link_begin[s + 1];
        result.push_back({time, s, signal.phase, plan_.ids[static_cast<std::size_t>(signal.program)],
                          std::string(link_state_.begin() + begin, link_state_.begin() + end)});
    }
    return result;
}

}  // namespace jamiton
