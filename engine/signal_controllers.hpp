// The programs of one signal step by step: fixed durations, or held and ended by the traffic that detectors see.
#pragma once

#include "agents/signal_control.hpp"
#include "engine/induction_loops.hpp"
#include "engine/rail_control.hpp"
#include "engine/signal_plan.hpp"
#include "engine/state.hpp"

namespace jamiton {

struct SignalState {
    int program = -1, phase = -1;  // in the plan, and within the program (-1: not begun)
    std::int64_t since = 0;        // ms, when the phase began
    std::int64_t due = 0;          // ms, before that nothing can change
};

struct SignalController {
    SignalPlanView plan;
    World w;
    LoopState* loops;
    RailView rail;
    std::int64_t time;  // ms, label of the step

    HD const SignalPhase& phase_at(const SignalProgram& program, int phase) const {
        return plan.phases[program.phase_begin + phase];
    }
    HD const SignalPhase& phase_of(const SignalState& signal) const {
        return phase_at(plan.programs[signal.program], signal.phase);
    }

    // Called when the signal is due.
    HD void advance(SignalState& signal) const {
        const SignalProgram& program = plan.programs[signal.program];
        if (signal.phase < 0) return begin(signal, program);
        if (program.type == SignalType::static_) {
            for (; time >= signal.due; signal.due += phase_of(signal).duration)
                signal.phase = plan.next[phase_of(signal).next_begin];
            return;
        }
        if (program.type == SignalType::rail_crossing) return advance_crossing(signal, program);
        const SignalPhase& phase = phase_of(signal);
        const bool needed = phase.next_count > 1 ? has_preference(program, phase) : is_needed(phase);
        if (!phase_ends(time - signal.since, phase.least, phase.most, needed)) return;
        const int next = choose_next(program, signal.phase);
        if (next != signal.phase) enter(signal, program, next);
    }

    // Where the program would be had it run by its durations since its offset.
    HD void begin(SignalState& signal, const SignalProgram& program) const {
        std::int64_t at = (time - program.offset) % program.cycle;
        if (at < 0) at += program.cycle;
        int phase = 0;
        for (; at >= phase_at(program, phase).duration; ++phase) at -= phase_at(program, phase).duration;
        enter(signal, program, phase);
        if (program.type == SignalType::static_) signal.due = time - at + phase_of(signal).duration;
    }

    HD void enter(SignalState& signal, const SignalProgram& program, int phase) const {
        signal.phase = phase;
        signal.since = time;
        signal.due = time + phase_at(program, phase).least;
        serve(phase_at(program, phase));
    }

    // Open, closing, closed, opening. Closed from `warning` before a train comes until a while after it has gone.
    HD void advance_crossing(SignalState& signal, const SignalProgram& program) const {
        enum { open, closing, closed, opening };
        const auto step = static_cast<std::int64_t>(w.method.dt * 1000);
        const RailCrossing& crossing = rail.crossings[rail.crossing_of_signal[program.signal]];
        const bool comes = train_comes(w, rail, crossing, CrossingTimes::warning + w.method.dt);
        if (signal.phase == open && comes)
            enter(signal, program, closing);
        else if (signal.phase == closing)
            enter(signal, program, closed);
        else if (signal.phase == opening)
            enter(signal, program, comes ? closed : open);
        else if (signal.phase == closed && comes)
            signal.since = time;
        else if (signal.phase == closed && time - signal.since >= CrossingTimes::opening_delay - step)
            enter(signal, program, opening);
    }

    HD std::int64_t gap(int loop) const { return loops[loop].gap(time * 1000); }

    // Vehicles follow each other closely on some lane that has green.
    HD bool is_needed(const SignalPhase& phase) const {
        for (int n = phase.loop_begin; n < phase.loop_begin + phase.loop_count; ++n) {
            const int loop = plan.phase_loops[n];
            if (gap(loop) < plan.loops[loop].max_gap) return true;
        }
        return false;
    }

    // Loops of a phase with vehicles on them, or with some that came over them since they were last served.
    HD int demand(const SignalPhase& phase) const {
        int calls = 0;
        for (int n = phase.loop_begin; n < phase.loop_begin + phase.loop_count; ++n) {
            const int loop = plan.phase_loops[n];
            calls += gap(loop) < plan.loops[loop].max_gap || has_waited(loop) ? 1 : 0;
        }
        return calls;
    }
    HD bool has_waited(int loop) const { return loops[loop].left > loops[loop].served; }

    HD void serve(const SignalPhase& phase) const {
        for (int n = phase.loop_begin; n < phase.loop_begin + phase.loop_count; ++n)
            loops[plan.phase_loops[n]].served = time * 1000;
    }

    // Where several phases may follow, the present one keeps on while it is called and no other one has waited too
    // long.
    HD bool has_preference(const SignalProgram& program, const SignalPhase& phase) const {
        const bool called = demand(phase) > 0;
        serve(phase);
        return called && !is_starved(program, phase);
    }

    // The phase with loops that a phase leads to, over those between.
    HD const SignalPhase& target(const SignalProgram& program, int phase) const {
        for (int n = 0; n < program.phase_count; ++n) {
            const SignalPhase& p = phase_at(program, phase);
            if (p.loop_count > 0 || p.next_count != 1) break;
            phase = plan.next[p.next_begin];
        }
        return phase_at(program, phase);
    }

    HD bool has_starved(const SignalPhase& phase) const {
        for (int n = phase.loop_begin; n < phase.loop_begin + phase.loop_count; ++n) {
            const int loop = plan.phase_loops[n];
            if (has_waited(loop) && time * 1000 - loops[loop].served > longest_wait) return true;
        }
        return false;
    }
    HD bool is_starved(const SignalProgram& program, const SignalPhase& phase) const {
        for (int n = 0; n < phase.next_count; ++n)
            if (has_starved(target(program, plan.next[phase.next_begin + n]))) return true;
        return false;
    }

    // Of the phases that may follow the one with the most calls, those that have waited too long before all others;
    // without any the first one. The present one only comes again where nobody else calls.
    HD int choose_next(const SignalProgram& program, int present) const {
        const SignalPhase& phase = phase_at(program, present);
        if (phase.next_count == 1) return plan.next[phase.next_begin];
        int best = plan.next[phase.next_begin], most = 0;
        for (int n = 0; n < phase.next_count; ++n) {
            const int next = plan.next[phase.next_begin + n];
            if (next == present) continue;
            const SignalPhase& candidate = target(program, next);
            const int calls = demand(candidate) + (has_starved(candidate) ? starved_first : 0);
            if (calls > most) best = next, most = calls;
        }
        return best;
    }

    static constexpr std::int64_t longest_wait = 180000000;  // us at red with a vehicle that waits
    static constexpr int starved_first = 1 << 16;
};

}  // namespace jamiton
