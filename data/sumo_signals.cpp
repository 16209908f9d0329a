#include "data/sumo_signals.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace jamiton {

namespace {

constexpr std::string_view state_letters = "GgyYrRuosO";

SignalType read_type(const Element& element, UnsupportedReport& report) {
    const std::string_view type = element.text_or("type", "static");
    if (type == "static") return SignalType::static_;
    if (type == "actuated") return SignalType::actuated;
    if (type == "delay_based") return SignalType::delay_based;
    if (type == "max_pressure") return SignalType::max_pressure;
    report.unsupported(element, fmt::format("<tlLogic> of type {}", quoted(type)));
    if (type == "rail_signal") return SignalType::rail_signal;
    if (type == "rail_crossing") return SignalType::rail_crossing;
    return SignalType::other;
}

// Parameters that only draw, or write what nobody reads here.
constexpr std::string_view silent_parameters[] = {"show-detectors", "file", "freq", "show-conditions",
                                                  "hide-conditions"};

double positive(const Element& element) { return element.number("value", Range::positive); }

// False: unknown.
bool read_control(const Element& element, SignalType type, std::string_view key, ControlDescription& control) {
    if (std::ranges::find(silent_parameters, key) != std::end(silent_parameters)) return true;
    if (type == SignalType::delay_based && key == "detectorRange") {
        control.range = positive(element);
    } else if (type == SignalType::delay_based && key == "minTimeloss") {
        control.least_loss = element.number("value", Range::not_negative);
    } else if (type != SignalType::actuated) {
        return false;
    } else if (key == "max-gap") {
        control.max_gap = element.number("value", Range::not_negative);
    } else if (key.starts_with("max-gap:")) {
        control.max_gap_of_lane.emplace_back(key.substr(8), element.number("value", Range::not_negative));
    } else if (key == "detector-gap") {
        control.detector_gap = element.number("value", Range::not_negative);
    } else if (key == "passing-time") {
        control.passing_time = positive(element);
    } else if (key == "jam-threshold") {
        control.jam_threshold = element.number("value", Range::any);
    } else {
        return false;
    }
    return true;
}

std::string read_state(const Element& element) {
    const std::string_view state = element.not_empty("state");
    if (state.find_first_not_of(state_letters) != std::string_view::npos) {
        element.fail_value("state", fmt::format("letters out of {}", state_letters));
    }
    return std::string(state);
}

double read_limit(const Element& element, std::string_view attribute) {
    const double limit = element.time_or(attribute, -1);
    if (limit < 0 && limit != -1) element.fail_value(attribute, "a time that is not negative");
    return limit;
}

}  // namespace

void SumoSignalReader::start_program(const Element& element, std::uint32_t file) {
    const std::string_view id = element.not_empty("id");
    signal_ = signal_ids_.insert(id).first;
    new_program_ = false;
    if (signal_ == static_cast<int>(network_.signals.size())) network_.signals.push_back({std::string(id), {}});
    auto& programs = network_.signals[signal_].programs;
    const std::string_view name = element.text_or("programID", "0");
    for (program_ = 0; program_ < programs.size(); ++program_) {
        if (programs[program_].id == name) return;
    }
    ProgramDescription program;
    program.id = name;
    program.type = read_type(element, report_);
    program.offset = element.time_or("offset", 0);
    program.source = {file, element.line()};
    programs.push_back(std::move(program));
    new_program_ = true;
}

void SumoSignalReader::add_phase(const Element& element) {
    ProgramDescription& program = network_.signals[signal_].programs[program_];
    if (!new_program_) {
        fail_at(element.file(), element.line(), "tlLogic", network_.signals[signal_].id,
                fmt::format("has the program {} twice: first at {}:{}", quoted(program.id),
                            network_.sources[program.source.file], program.source.line));
    }
    auto& phases = program.phases;
    PhaseDescription phase;
    phase.duration = element.time("duration");
    if (phase.duration <= 0) element.fail_value("duration", "a time above 0");
    phase.min_duration = read_limit(element, "minDur");
    phase.max_duration = read_limit(element, "maxDur");
    phase.earliest_end = read_limit(element, "earliestEnd");
    phase.latest_end = read_limit(element, "latestEnd");
    phase.state = read_state(element);
    if (!phases.empty() && phases[0].state.size() != phase.state.size()) {
        element.fail(fmt::format("attribute \"state\" has {} letters, expected {} as in the phases before",
                                 phase.state.size(), phases[0].state.size()));
    }
    for_each_word(element.text_or("next", ""), " \t\r\n", [&](std::string_view word) {
        const auto next = parse_integer(word);
        if (!next || *next < 0 || *next > 100000) element.fail_value("next", "indices of phases");
        phase.next.push_back(static_cast<int>(*next));
    });
    phase.name = element.text_or("name", "");
    for (std::string_view attribute : {"earlyTarget", "finalTarget"}) {
        if (element.find(attribute)) report_.unsupported(element, fmt::format("{} of a <phase>", attribute));
    }
    phases.push_back(std::move(phase));
}

void SumoSignalReader::add_parameter(const Element& element) {
    ProgramDescription& program = network_.signals[signal_].programs[program_];
    const std::string_view key = element.required("key");
    program.parameters.emplace_back(key, element.text_or("value", ""));
    const bool reacts = program.type == SignalType::actuated || program.type == SignalType::delay_based ||
                        program.type == SignalType::max_pressure;
    if (reacts && !read_control(element, program.type, key, program.control)) {
        report_.unsupported(element, fmt::format("parameter {} of a <tlLogic> that reacts to traffic", quoted(key)));
    }
}

void SumoSignalReader::finish_program() {
    const SignalDescription& signal = network_.signals[signal_];
    const ProgramDescription& program = signal.programs[program_];
    const auto fail = [&](std::string_view problem) {
        fail_at(network_.sources[program.source.file], program.source.line, "tlLogic", signal.id, problem);
    };
    if (program.phases.empty() && program.id != off_program) fail("has no phase");
    for (const PhaseDescription& phase : program.phases) {
        for (int next : phase.next) {
            if (next >= static_cast<int>(program.phases.size())) {
                fail(fmt::format("a phase has next=\"{}\", but there are only {} phases", next, program.phases.size()));
            }
        }
    }
}

void check_link_index(const NetworkDescription& network, int signal, int link_index) {
    for (const ProgramDescription& program : network.signals[signal].programs) {
        if (program.phases.empty()) continue;
        const std::size_t letters = program.phases[0].state.size();
        if (link_index >= static_cast<int>(letters)) {
            fail_at(network.sources[program.source.file], program.source.line, "tlLogic", network.signals[signal].id,
                    fmt::format("the states of program {} have {} letters, but a connection has linkIndex {}",
                                quoted(program.id), letters, link_index));
        }
    }
}

}  // namespace jamiton
