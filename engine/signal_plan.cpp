#include "engine/signal_plan.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/rail_plan.hpp"
#include "engine/signal_states.hpp"

namespace jamiton {
namespace {

// Between two vehicles that pass the stop line, m; and where the first one stands.
constexpr double queue_spacing = 7.5, queue_start = 0.5;

std::int64_t milliseconds(double seconds) { return std::llround(seconds * 1000); }

// The lanes that a signal holds, each with its link indices.
using SignalLanes = std::map<int, std::vector<int>>;

std::vector<SignalLanes> lanes_of_signals(const NetworkDescription& d) {
    std::vector<SignalLanes> lanes(d.signals.size());
    for (const ConnectionDescription& c : d.connections) {
        if (c.signal < 0 || c.link_index < 0) continue;
        const EdgeFunction function = d.edges[d.lanes[c.from_lane].edge].function;
        if (function == EdgeFunction::normal) lanes[c.signal][c.from_lane].push_back(c.link_index);
    }
    return lanes;
}

// Whether vehicles of a lane may all drive, and some of them first: only then does its loop hold the phase.
bool holds(const std::string& state, const std::vector<int>& links) {
    const auto letter = [&](int link) { return state[static_cast<std::size_t>(link)]; };
    return std::ranges::all_of(links, [&](int link) { return is_green(letter(link)); }) &&
           std::ranges::any_of(links, [&](int link) { return letter(link) == 'G'; });
}

bool has(const std::string& state, bool (*letter)(char)) { return std::ranges::any_of(state, letter); }

std::int64_t shortest(const PhaseDescription& phase) {
    return milliseconds(phase.min_duration >= 0 ? phase.min_duration : phase.duration);
}
std::int64_t longest(const PhaseDescription& phase) {
    if (phase.max_duration >= 0) return std::max(shortest(phase), milliseconds(phase.max_duration));
    return phase.min_duration >= 0 ? never / 2 : shortest(phase);
}

// The phases of a level crossing: open, closing, closed, opening. Those of other railway signals are not of a program.
ProgramDescription railway_program(SignalType type, int links) {
    ProgramDescription program;
    program.id = "0";
    program.type = type;
    if (type != SignalType::rail_crossing) return program;
    const std::pair<char, std::int64_t> phases[] = {
        {'G', CrossingTimes::least_green}, {'y', CrossingTimes::yellow}, {'r', 0}, {'u', CrossingTimes::opening}};
    for (const auto& [letter, least] : phases) {
        program.phases.emplace_back();
        program.phases.back().state = std::string(static_cast<std::size_t>(links), letter);
        program.phases.back().min_duration = static_cast<double>(least) / 1000;
    }
    return program;
}

// A signal that is off blinks, o, where the network says that a road gives way to others then, and else shows O.
PhaseDescription off_phase(const NetworkDescription& d, int signal, int links) {
    PhaseDescription phase;
    phase.duration = 1e9;
    phase.state.assign(static_cast<std::size_t>(links), 'O');
    for (const ConnectionDescription& c : d.connections)
        if (c.signal == signal && c.link_index >= 0)
            phase.state[static_cast<std::size_t>(c.link_index)] = c.state == 'o' ? 'o' : 'O';
    return phase;
}

class Builder {
  public:
    Builder(const NetworkDescription& description, const Network& network) : d_(description), network_(network) {}
    SignalPlan build();

  private:
    void add_program(int signal, const ProgramDescription& program, const SignalLanes& lanes);
    void add_phase(const PhaseDescription& phase, int index, int phase_count);
    void add_loops(const ProgramDescription& program, const SignalLanes& lanes);
    void add_ranges(const ProgramDescription& program, const SignalLanes& lanes);
    void add_movements(int signal, const ProgramDescription& program);
    // Of each phase of the program that was added last.
    void add_lists(const std::vector<std::vector<int>>& lists, int SignalPhase::*begin, int SignalPhase::*count);
    void add_members(const std::vector<std::vector<int>>& members) {
        add_lists(members, &SignalPhase::member_begin, &SignalPhase::member_count);
    }
    std::size_t first_phase(const ProgramDescription& program) const { return phases_.size() - program.phases.size(); }
    int range_before(int lane, const ControlDescription& control);
    double length(int lane) const { return static_cast<double>(network_.lanes[lane].length); }
    Loop loop_before(int lane, double distance) const;
    int only_lane_before(int lane) const;

    const NetworkDescription& d_;
    const Network& network_;
    std::vector<SignalProgram> programs_;
    std::vector<SignalPhase> phases_;
    std::vector<int> next_, members_, program_begin_;
    std::vector<Loop> loops_;
    std::vector<DetectionRange> ranges_;
    std::vector<RangePiece> range_pieces_;
    std::map<int, int> range_of_lane_;
    std::vector<std::string> ids_;
    std::string states_;
};

void Builder::add_phase(const PhaseDescription& from, int index, int phase_count) {
    SignalPhase phase;
    phase.duration = std::max<std::int64_t>(1, milliseconds(from.duration));
    phase.least = shortest(from);
    phase.most = longest(from);
    phase.serves = has(from.state, is_green) && !has(from.state, is_yellow);
    phase.state_begin = static_cast<int>(states_.size());
    phase.state_count = static_cast<int>(from.state.size());
    states_ += from.state;
    phase.next_begin = static_cast<int>(next_.size());
    next_.insert(next_.end(), from.next.begin(), from.next.end());
    if (from.next.empty()) next_.push_back((index + 1) % phase_count);
    phase.next_count = static_cast<int>(next_.size()) - phase.next_begin;
    phases_.push_back(phase);
}

void Builder::add_program(int signal, const ProgramDescription& from, const SignalLanes& lanes) {
    SignalProgram program;
    program.type = from.type;
    program.signal = signal;
    program.offset = milliseconds(from.offset);
    program.phase_begin = static_cast<int>(phases_.size());
    program.phase_count = static_cast<int>(from.phases.size());
    for (int p = 0; p < program.phase_count; ++p) {
        add_phase(from.phases[static_cast<std::size_t>(p)], p, program.phase_count);
        program.cycle += phases_.back().duration;
    }
    if (from.type == SignalType::actuated) add_loops(from, lanes);
    if (from.type == SignalType::delay_based) add_ranges(from, lanes);
    if (from.type == SignalType::max_pressure) add_movements(signal, from);
    programs_.push_back(program);
    ids_.push_back(from.id);
}

// The one lane from which vehicles come onto this one, -1 when there are none or several.
int Builder::only_lane_before(int lane) const {
    const Lane& l = network_.lanes[lane];
    if (l.is_internal()) return network_.connections[l.entry].from_lane;
    if (network_.incoming_begin[lane + 1] - network_.incoming_begin[lane] != 1) return -1;
    int before = network_.connections[network_.incoming[network_.incoming_begin[lane]]].next_lane;
    if (before == lane) return network_.connections[network_.incoming[network_.incoming_begin[lane]]].from_lane;
    while (network_.connections[network_.lanes[before].exit].next_lane != lane)
        before = network_.connections[network_.lanes[before].exit].next_lane;
    return before;
}

// The place this far, m, before the end of a lane: on the lanes before it where it is too short, if the way is clear.
Loop Builder::loop_before(int lane, double distance) const {
    while (distance > length(lane)) {
        const int before = only_lane_before(lane);
        if (before < 0) return {.lane = lane};
        distance -= length(lane);
        lane = before;
    }
    return {.lane = lane, .position = static_cast<float>(length(lane) - distance)};
}

// A loop for each lane that holds some phase. It lies so near that the vehicles behind it can pass in the minimum time.
void Builder::add_loops(const ProgramDescription& program, const SignalLanes& lanes) {
    const std::size_t first = first_phase(program);
    std::vector<std::vector<int>> loops_of_phase(program.phases.size());
    for (const auto& [lane, links] : lanes) {
        std::int64_t least = never;
        std::vector<std::size_t> held;
        for (std::size_t p = 0; p < program.phases.size(); ++p) {
            if (phases_[first + p].least == phases_[first + p].most || !holds(program.phases[p].state, links)) continue;
            held.push_back(p);
            least = std::min(least, phases_[first + p].least);
        }
        if (held.empty()) continue;
        const ControlDescription& control = program.control;
        const double most = (static_cast<double>(least) / 1000 / control.passing_time + queue_start) * queue_spacing;
        const double wanted = control.detector_gap * static_cast<double>(network_.lanes[lane].speed_limit);
        Loop loop = loop_before(lane, std::min(wanted, most));
        loop.max_gap = std::llround(control.max_gap * 1e6);
        loop.patience = control.jam_threshold > 0 ? std::llround(control.jam_threshold * 1e6) : never;
        for (const auto& [id, gap] : control.max_gap_of_lane)
            if (id == d_.lanes[lane].id) loop.max_gap = std::llround(gap * 1e6);
        for (std::size_t p : held) loops_of_phase[p].push_back(static_cast<int>(loops_.size()));
        loops_.push_back(loop);
    }
    add_members(loops_of_phase);
}

void Builder::add_lists(const std::vector<std::vector<int>>& lists, int SignalPhase::*begin, int SignalPhase::*count) {
    for (std::size_t p = 0; p < lists.size(); ++p) {
        SignalPhase& phase = phases_[phases_.size() - lists.size() + p];
        phase.*begin = static_cast<int>(members_.size());
        phase.*count = static_cast<int>(lists[p].size());
        members_.insert(members_.end(), lists[p].begin(), lists[p].end());
    }
}

// Back from the stop line, on the lanes before it where the way is clear; a lane that a range has is not taken twice.
int Builder::range_before(int lane, const ControlDescription& control) {
    if (const auto known = range_of_lane_.find(lane); known != range_of_lane_.end()) return known->second;
    const int range = static_cast<int>(ranges_.size());
    const int begin = static_cast<int>(range_pieces_.size());
    for (double left = control.range; left > 0 && lane >= 0 && range_of_lane_.emplace(lane, range).second;
         left -= length(lane), lane = only_lane_before(lane))
        range_pieces_.push_back({lane, left < length(lane) ? static_cast<float>(length(lane) - left) : -1.f});
    const int count = static_cast<int>(range_pieces_.size()) - begin;
    ranges_.push_back({begin, count, static_cast<float>(control.least_loss)});
    return range;
}

// The ranges before green links hold a phase, vehicles in those before links without green may end it.
void Builder::add_ranges(const ProgramDescription& program, const SignalLanes& lanes) {
    std::vector<std::vector<int>> members(program.phases.size()), rivals(program.phases.size());
    for (const auto& [lane, links] : lanes) {
        const int range = range_before(lane, program.control);
        for (std::size_t p = 0; p < program.phases.size(); ++p) {
            const auto green = [&](int link) {
                return is_green(program.phases[p].state[static_cast<std::size_t>(link)]);
            };
            if (std::ranges::any_of(links, green)) members[p].push_back(range);
            if (!std::ranges::all_of(links, green)) rivals[p].push_back(range);
        }
    }
    add_members(members);
    add_lists(rivals, &SignalPhase::rival_begin, &SignalPhase::rival_count);
}

void Builder::add_movements(int signal, const ProgramDescription& program) {
    std::vector<std::vector<int>> members(program.phases.size());
    for (std::size_t n = 0; n < d_.connections.size(); ++n) {
        const ConnectionDescription& c = d_.connections[n];
        if (c.signal != signal || c.link_index < 0) continue;
        if (d_.edges[d_.lanes[c.from_lane].edge].function != EdgeFunction::normal) continue;
        for (std::size_t p = 0; p < program.phases.size(); ++p)
            if (is_green(program.phases[p].state[static_cast<std::size_t>(c.link_index)]))
                members[p].push_back(network_.connection_of_description[n]);
    }
    add_members(members);
}

SignalPlan Builder::build() {
    const std::vector<SignalLanes> lanes = lanes_of_signals(d_);
    for (std::size_t s = 0; s < d_.signals.size(); ++s) {
        program_begin_.push_back(static_cast<int>(programs_.size()));
        const int links = network_.signal_link_begin[s + 1] - network_.signal_link_begin[s];
        for (ProgramDescription program : d_.signals[s].programs) {
            if (program.id == off_program && program.phases.empty())
                program.phases.push_back(off_phase(d_, static_cast<int>(s), links));
            add_program(static_cast<int>(s), program, lanes[s]);
        }
        const SignalType railway = railway_type(d_, static_cast<int>(s));
        if (railway != SignalType::other) add_program(static_cast<int>(s), railway_program(railway, links), {});
    }
    program_begin_.push_back(static_cast<int>(programs_.size()));
    SignalPlan plan;
    plan.programs = Array<SignalProgram>(programs_);
    plan.phases = Array<SignalPhase>(phases_);
    plan.states = Array<char>(std::vector<char>(states_.begin(), states_.end()));
    plan.next = Array<int>(next_);
    plan.members = Array<int>(members_);
    plan.loops = Array<Loop>(loops_);
    plan.ranges = Array<DetectionRange>(ranges_);
    plan.range_pieces = Array<RangePiece>(range_pieces_);
    plan.link_begin =
        Array<int>(std::vector<int>(network_.signal_link_begin.begin(), network_.signal_link_begin.end()));
    plan.ids = std::move(ids_);
    plan.program_begin = std::move(program_begin_);
    return plan;
}

}  // namespace

SignalPlan build_signal_plan(const NetworkDescription& description, const Network& network) {
    return Builder(description, network).build();
}

SignalPlanView SignalPlan::view() const {
    return {programs.data(), phases.data(), states.data(),    next.data(),
            members.data(),  loops.data(),  link_begin.data()};
}

std::size_t SignalPlan::bytes() const {
    return programs.bytes() + phases.bytes() + states.bytes() + next.bytes() + members.bytes() + loops.bytes() +
           link_begin.bytes() + ranges.bytes() + range_pieces.bytes();
}

}  // namespace jamiton
