// The programs of one signal step by step: fixed durations, or held and ended by the traffic that detectors see.
#pragma once

#include "agents/signal_control.hpp"
#include "engine/detection_ranges.hpp"
#include "engine/induction_loops.hpp"
#include "engine/rail_control.hpp"
#include "engine/signal_plan.hpp"
#include "engine/state.hpp"

namespace jamiton {

struct SignalState {
    int program = -1, phase = -1;  // in the plan, and within the program (-1: not begun)
    std::int64_t since = 0;        // ms, when the phase began
    std::int64_t due = 0;          // ms, before that nothing can change
    int target = -1;               // phase to which its yellow leads (max pressure)
};

struct SignalController {
    SignalPlanView plan;
    World w;
    LoopState* loops;
    const RangeState* ranges;
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
        if (program.type == SignalType::delay_based) return advance_by_delay(signal, program);
        if (program.type == SignalType::max_pressure) return advance_by_pressure(signal, program);
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
        if (program.type == SignalType::actuated) serve(phase_at(program, phase));
    }
    HD static int phase_after(const SignalProgram& program, int phase) { return (phase + 1) % program.phase_count; }

    // Green stays while nobody is before a red link, or somebody before a green one has lost time and can still pass
    // within its longest time.
    HD void advance_by_delay(SignalState& signal, const SignalProgram& program) const {
        const SignalPhase& phase = phase_of(signal);
        const float left = static_cast<float>(phase.most - (time - signal.since)) / 1000;
        bool wanted = !phase.serves, needed = false;
        for (int n = phase.rival_begin; n < phase.rival_begin + phase.rival_count; ++n)
            if (ranges[plan.members[n]].vehicles > 0) wanted = true;
        for (int n = phase.member_begin; n < phase.member_begin + phase.member_count; ++n)
            if (ranges[plan.members[n]].soonest <= left) needed = true;
        if (wanted && phase_ends(time - signal.since, phase.least, phase.most, needed))
            enter(signal, program, phase_after(program, signal.phase));
    }

    // The green with the most pressure comes next, over the phases without green after the present one. After its
    // longest time the present green gives way to any other for which somebody waits.
    HD void advance_by_pressure(SignalState& signal, const SignalProgram& program) const {
        const int after = phase_after(program, signal.phase);
        if (phase_of(signal).serves) {
            const bool must_end = time - signal.since >= phase_of(signal).most;
            const int best = most_pressed(program, signal.phase, must_end);
            if (best == signal.phase) return;
            signal.target = best;
        }
        const bool arrives = signal.target >= 0 && phase_at(program, after).serves;
        enter(signal, program, arrives ? signal.target : after);
    }

    // The present phase unless another one has more pressure, or has to take its place.
    HD int most_pressed(const SignalProgram& program, int present, bool must_end) const {
        int best = present, most = pressure(phase_at(program, present));
        for (int p = 0; p < program.phase_count; ++p) {
            const SignalPhase& phase = phase_at(program, p);
            if (p == present || !phase.serves || (must_end && !is_waited_for(phase))) continue;
            const int other = pressure(phase);
            if (other > most || (must_end && best == present)) best = p, most = other;
        }
        return best;
    }
    HD int pressure(const SignalPhase& phase) const {
        int sum = 0;
        for (int n = phase.member_begin; n < phase.member_begin + phase.member_count; ++n) {
            const Connection& c = w.net.connections[plan.members[n]];
            const int beyond = w.now.lane_begin[c.to_lane + 1] - w.now.lane_begin[c.to_lane];
            sum += movement_pressure(vehicles_before(plan.members[n]), beyond);
        }
        return sum;
    }
    HD bool is_waited_for(const SignalPhase& phase) const {
        for (int n = phase.member_begin; n < phase.member_begin + phase.member_count; ++n)
            if (vehicles_before(plan.members[n]) > 0) return true;
        return false;
    }
    // Vehicles on the lane before a connection that will take it.
    HD int vehicles_before(int connection) const {
        const int lane = w.net.connections[connection].from_lane;
        int count = 0;
        for (int i = w.now.lane_begin[lane]; i < w.now.lane_begin[lane + 1]; ++i)
            count += w.next_connection(w.net.lanes[lane], w.now.attributes[i].route_at) == connection ? 1 : 0;
        return count;
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

    HD std::int64_t gap(int loop) const { return loops[loop].gap(time * 1000, plan.loops[loop].patience); }

    // Vehicles follow each other closely on some lane that has green.
    HD bool is_needed(const SignalPhase& phase) const {
        for (int n = phase.member_begin; n < phase.member_begin + phase.member_count; ++n) {
            const int loop = plan.members[n];
            if (gap(loop) < plan.loops[loop].max_gap) return true;
        }
        return false;
    }

    // Loops of a phase with vehicles on them, or with some that came over them since they were last served.
    HD int demand(const SignalPhase& phase) const {
        int calls = 0;
        for (int n = phase.member_begin; n < phase.member_begin + phase.member_count; ++n) {
            const int loop = plan.members[n];
            calls += gap(loop) < plan.loops[loop].max_gap || has_waited(loop) ? 1 : 0;
        }
        return calls;
    }
    HD bool has_waited(int loop) const { return loops[loop].left > loops[loop].served; }

    HD void serve(const SignalPhase& phase) const {
        for (int n = phase.member_begin; n < phase.member_begin + phase.member_count; ++n)
            loops[plan.members[n]].served = time * 1000;
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
            if (p.member_count > 0 || p.next_count != 1) break;
            phase = plan.next[p.next_begin];
        }
        return phase_at(program, phase);
    }

    HD bool has_starved(const SignalPhase& phase) const {
        for (int n = phase.member_begin; n < phase.member_begin + phase.member_count; ++n) {
            const int loop = plan.members[n];
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
