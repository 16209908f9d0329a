#include "scenarios/scenario.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <sstream>

#include "data/sumo_config.hpp"
#include "data/sumo_demand.hpp"
#include "data/sumo_network.hpp"
#include "data/xml_file.hpp"
#include "engine/core/check.hpp"
#include "scenarios/scenario_keys.hpp"

namespace jamiton {

namespace {

std::string read_all(const std::string& path) {
    constexpr std::size_t largest = 16 << 20;
    XmlFile file(path);
    std::string text, part(1 << 16, '\0');
    while (const std::size_t size = file.read(part.data(), part.size())) {
        text.append(part, 0, size);
        if (text.size() > largest) throw InputError(path + ": is too large for a scenario file");
    }
    return text;
}

bool is_xml(std::string_view text) {
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) return true;  // UTF-16, which TOML never is
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    return trim(text).starts_with('<');
}

void load_toml(Scenario& scenario) {
    try {
        const toml::table table = toml::parse(scenario.text, scenario.path);
        apply_key(scenario, "", table, scenario.path);
    } catch (const toml::parse_error& error) {
        throw InputError(fmt::format("{}:{}: not well-formed TOML: {}", scenario.path, error.source().begin.line,
                                     error.description()));
    }
}

void load_sumo(Scenario& scenario, UnsupportedReport& report) {
    SumoConfig config = read_sumo_config(scenario.path, report);
    scenario.network = config.net_file;
    scenario.routes = std::move(config.route_files);
    scenario.additional = std::move(config.additional_files);
    scenario.begin = config.begin;
    scenario.end = config.end < 0 ? -1 : config.end;
    scenario.step = config.step_length;
    scenario.seed = config.seed.value_or(scenario.seed);
    scenario.ballistic = config.ballistic;
    scenario.time_to_teleport = config.time_to_teleport;
    scenario.time_to_impatience = config.time_to_impatience;
    scenario.signals_off = config.signals_off;
    scenario.routing = config.routing;
    scenario.record = config.record;
    scenario.scale = config.scale;
    scenario.scale_suffix = config.scale_suffix;
    scenario.extrapolate_depart_pos = config.extrapolate_depart_pos;
    scenario.max_depart_delay = config.max_depart_delay;
    scenario.random_depart_offset = config.random_depart_offset;
    scenario.ignore_route_errors = config.ignore_route_errors;
    scenario.types = config.types;
    scenario.sumo_outputs = std::move(config.outputs);
}

// where: the file, and whether options of the command line may be to blame.
void check(const Scenario& scenario, const std::string& where) {
    if (scenario.network.empty()) throw InputError(scenario.path + ": names no network (network.file, or <net-file>)");
    if (scenario.end >= 0 && scenario.end < scenario.begin) {
        throw InputError(fmt::format("{}: ends at {} s before it begins at {} s", where, scenario.end, scenario.begin));
    }
    if ((scenario.end - scenario.begin) / scenario.step > std::numeric_limits<std::int32_t>::max()) {
        throw InputError(fmt::format("{}: {} to {} s are more than 2147483647 steps of {} s", where, scenario.begin,
                                     scenario.end, scenario.step));
    }
    const double steps = scenario.output.trajectories_every / scenario.step;
    if (std::abs(steps - std::round(steps)) > 1e-6 * std::max(1.0, steps)) {
        throw InputError(fmt::format("{}: output.trajectories.every is {} s, expected a multiple of the step, {} s",
                                     where, scenario.output.trajectories_every, scenario.step));
    }
    if (scenario.ranks.count != 1) {
        throw InputError(fmt::format("{}: ranks.count is {}, expected 1: this version runs on one rank", where,
                                     scenario.ranks.count));
    }
}

void turn_off_signals(NetworkDescription& network) {
    for (SignalDescription& signal : network.signals) {
        std::erase_if(signal.programs, [](const ProgramDescription& program) { return program.id == off_program; });
        if (signal.programs.empty()) continue;  // trains switch it
        signal.programs.emplace_back();
        signal.programs.back().id = off_program;
    }
}

}  // namespace

Scenario load_scenario(const std::string& path, const std::vector<std::string>& overrides, UnsupportedReport& report) {
    // Overrides twice: whether the input may hold unsupported things must be known before it is read.
    Scenario scenario;
    scenario.path = path;
    if (path.empty()) throw InputError("the scenario needs a name: expected a file or a folder");
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
        scenario.path = (std::filesystem::path(path) / "scenario.toml").string();
        if (!std::filesystem::exists(scenario.path, error))
            throw InputError(path + ": the folder holds no scenario.toml");
    }
    for (const std::string& assignment : overrides) apply_override(scenario, assignment);
    report.set_lenient(report.lenient() || scenario.lenient);
    scenario.text = read_all(scenario.path);
    if (is_xml(scenario.text)) {
        load_sumo(scenario, report);
    } else {
        load_toml(scenario);
    }
    for (const std::string& assignment : overrides) apply_override(scenario, assignment);
    report.set_lenient(report.lenient() || scenario.lenient);
    check(scenario, overrides.empty() ? scenario.path : scenario.path + " with the options given");
    return scenario;
}

ScenarioInput read_inputs(const Scenario& scenario, UnsupportedReport& report) {
    ScenarioInput input;
    input.network = read_sumo_network(scenario.network, report);
    if (input.network.edges.empty()) throw InputError(scenario.network + ": has no edges");
    SumoDemandReader reader(input.network, input.demand, report, {scenario.types, scenario.begin});
    for (const std::string& path : scenario.additional) reader.read(path);
    for (const std::string& path : scenario.routes) reader.read(path);
    if (scenario.signals_off) turn_off_signals(input.network);
    return input;
}

}  // namespace jamiton
