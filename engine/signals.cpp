#include "engine/signals.hpp"

#include <algorithm>
#include <string>

#include "engine/signal_states.hpp"

namespace jamiton {
namespace {

struct Advance {
    SignalController control;
    SignalState* signals;
    char* link_state;
    SignalChanges changes;
    int* link_since;

    HD void operator()(int s) const {
        SignalState& signal = signals[s];
        if (control.time < signal.due) return;
        const int before = signal.phase;
        control.advance(signal);
        if (signal.phase == before) return;
        changes.add(s);
        const SignalPlanView& plan = control.plan;
        const SignalPhase& phase = control.phase_of(signal);
        const int begin = plan.link_begin[s], count = min(plan.link_begin[s + 1] - begin, phase.state_count);
        for (int n = 0; n < count; ++n) {
            const char state = plan.states[phase.state_begin + n];
            if (state != link_state[begin + n]) link_since[begin + n] = static_cast<int>(control.w.step);
            link_state[begin + n] = state;
        }
    }
};

}  // namespace

Signals::Signals(const NetworkDescription& description, const Network& network, std::size_t vehicles)
    : plan_(build_signal_plan(description, network)),
      rail_plan_(build_rail_plan(description, network)),
      timetable_(description, plan_),
      signals_(description.signals.size()),
      link_state_(static_cast<std::size_t>(network.signal_link_begin[description.signals.size()])),
      link_since_(link_state_.size()),
      loops_(plan_.loops.size()),
      ranges_(plan_.ranges.size()),
      seen_(plan_.ranges.empty() ? 0 : vehicles),
      changed_(description.signals.size()),
      changed_count_(1) {
    link_state_.fill('O');
    if (!rail_plan_.signals.empty()) reserved_.resize(network.lanes.size());
    reserved_.fill(no_key);
    holders_.resize(rail_plan_.links.size());
    holders_.fill(no_train);
    link_since_.fill(0);
    loops_.fill(LoopState{});
    seen_.fill(SeenVehicle{});
    for (std::size_t s = 0; s < signals_.size(); ++s) {
        signals_[s] = SignalState{};
        const int last = plan_.program_begin[s + 1] - 1;
        const bool has_program = last >= plan_.program_begin[s];
        if (has_program) signals_[s].program = last;
        const bool has_phases = has_program && plan_.programs[last].phase_count > 0;
        signals_[s].due = has_phases ? std::numeric_limits<std::int64_t>::min() : never;
    }
}

RailView Signals::rail() {
    return {rail_plan_.crossings.data(), rail_plan_.watches.data(), rail_plan_.inside.data(),
            rail_plan_.signals.data(),   rail_plan_.links.data(),   rail_plan_.crossing_of_signal.data(),
            rail_plan_.opposite.data(),  reserved_.data(),          holders_.data()};
}

void Signals::advance(const Exec& exec, std::int64_t time_ms, const World& world) {
    changed_count_[0] = 0;
    timetable_.advance(time_ms, [&](int s, int program) {
        if (signals_[s].program != program) signals_[s] = {.program = program, .phase = -1, .since = 0, .due = time_ms};
    });
    read_loops(exec, world, plan_.loops, loops_, time_ms * 1000);
    read_ranges(exec, world, plan_, ranges_, seen_);
    const SignalChanges changes{changed_.data(), changed_count_.data()};
    const SignalController control{plan_.view(), world, loops_.data(), ranges_.data(), rail(), time_ms};
    parallel_for(exec, count(), Advance{control, signals_.data(), link_state_.data(), changes, link_since_.data()});
    advance_rail_signals(exec, world, rail(), rail_plan_, link_state_.data(), changes);
    synchronize(exec);
}

std::vector<SignalSwitch> Signals::switches(double time) const {
    std::vector<int> changed(changed_.begin(), changed_.begin() + changed_count_[0]);
    std::ranges::sort(changed);
    std::vector<SignalSwitch> result;
    for (const int s : changed) {
        const SignalState& signal = signals_[s];
        const int begin = plan_.link_begin[s], end = plan_.link_begin[s + 1];
        const bool any_green = std::any_of(link_state_.begin() + begin, link_state_.begin() + end, is_green);
        const int phase = signal.phase >= 0 ? signal.phase : any_green ? 1 : 0;  // of railway signals: as SUMO says it
        result.push_back({time, s, phase, plan_.ids[static_cast<std::size_t>(signal.program)],
                          std::string(link_state_.begin() + begin, link_state_.begin() + end)});
    }
    return result;
}

}  // namespace jamiton
