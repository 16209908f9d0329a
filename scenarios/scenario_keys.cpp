#include "scenarios/scenario_keys.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <sstream>

#include "data/sumo_config.hpp"
#include "data/text_values.hpp"
#include "engine/core/check.hpp"
#include "scenarios/command_line_error.hpp"

namespace jamiton {

namespace {

using Value = ScenarioValue;

std::string beside(const Scenario& scenario, const std::string& file) {
    return (std::filesystem::path(scenario.path).parent_path() / file).string();
}

std::vector<std::string> files(const Scenario& scenario, const Value& value) {
    std::vector<std::string> paths;
    for (const std::string& file : value.texts()) paths.push_back(beside(scenario, file));
    return paths;
}

void set_device(Scenario& scenario, const Value& value) {
    scenario.device = value.text();
    if (scenario.device != "auto" && scenario.device != "cpu" && scenario.device != "cuda")
        value.fail("auto, cpu or cuda");
}

void set_output(Scenario& scenario, const Value& value) {
    scenario.output.file = value.text();
    if (scenario.output.file == "none") scenario.output.file.clear();
}

void set_step(Scenario& scenario, const Value& value) {
    scenario.step = value.time(0);
    if (scenario.step < least_step || scenario.step > most_step)
        value.fail(fmt::format("a time from {} to {} s", least_step, most_step));
}

void set_rerouted(Scenario& scenario, const Value& value) {
    scenario.routing.vehicles.clear();
    for (const std::string& id : value.texts()) scenario.routing.vehicles.insert(id);
}

constexpr double most = 1e12;

constexpr ScenarioKey keys[] = {
    {"network.file", "network, SUMO's .net.xml; XML files may be gzip (required)",
     [](Scenario& s, const Value& v) { s.network = beside(s, v.text()); }},
    {"demand.files", "routes, SUMO's .rou.xml: one file or a list (none)",
     [](Scenario& s, const Value& v) { s.routes = files(s, v); }},
    {"demand.additional", "types, routes and signal programs, SUMO's .add.xml: one file or a list (none)",
     [](Scenario& s, const Value& v) { s.additional = files(s, v); }},
    {"demand.scale", "every vehicle and flow this often (1)",
     [](Scenario& s, const Value& v) { s.scale = v.number(0, 1e6); }},
    {"demand.extrapolate_depart_pos", "who enters late starts as far on as it would have come (false)",
     [](Scenario& s, const Value& v) { s.extrapolate_depart_pos = v.flag(); }},
    {"demand.scale_suffix", "between the id of a vehicle and the number of its copy (.)",
     [](Scenario& s, const Value& v) { s.scale_suffix = v.text(); }},
    {"demand.ignore_route_errors", "leave out vehicles whose route is not connected, with a warning (false)",
     [](Scenario& s, const Value& v) { s.ignore_route_errors = v.flag(); }},
    {"demand.max_depart_delay", "s, after which a vehicle that finds no room is dropped; -1: never (-1)",
     [](Scenario& s, const Value& v) { s.max_depart_delay = v.time(-1); }},
    {"demand.random_depart_offset", "s, at most this is added to each departure (0)",
     [](Scenario& s, const Value& v) { s.random_depart_offset = v.time(0); }},
    {"time.begin", "s, or h:m:s (0)", [](Scenario& s, const Value& v) { s.begin = v.time(0); }},
    {"time.end", "s, or h:m:s; -1: until nobody is left (-1)", [](Scenario& s, const Value& v) { s.end = v.time(-1); }},
    {"time.step", "s, from 0.001 to 60 (1)", set_step},
    {"run.seed", "of all random numbers (42)",
     [](Scenario& s, const Value& v) { s.seed = static_cast<std::uint64_t>(v.integer(0, INT64_MAX)); }},
    {"run.device", "auto, cpu or cuda; auto: a GPU where there is one (auto)", set_device},
    {"run.threads", "host threads; 0: one per core (0)",
     [](Scenario& s, const Value& v) { s.threads = static_cast<int>(v.integer(0, 4096)); }},
    {"run.lenient", "warn of input that is not simulated instead of stopping (false)",
     [](Scenario& s, const Value& v) { s.lenient = v.flag(); }},
    {"model.ballistic", "positions from the mean of old and new speed (false)",
     [](Scenario& s, const Value& v) { s.ballistic = v.flag(); }},
    {"model.time_to_teleport", "s of waiting after which a vehicle is moved on; 0 or less: never (300)",
     [](Scenario& s, const Value& v) { s.time_to_teleport = v.time(-most); }},
    {"model.time_to_impatience", "s of waiting until a driver takes any gap; 0 or less: never (180)",
     [](Scenario& s, const Value& v) { s.time_to_impatience = v.time(-most); }},
    {"model.signals_off", "signals run no program: the roads' priority holds (false)",
     [](Scenario& s, const Value& v) { s.signals_off = v.flag(); }},
    {"model.minor_penalty", "s per link without priority, in routing (1.5)",
     [](Scenario& s, const Value& v) { s.routing.minor_penalty = v.number(0, most); }},
    {"routing.adaptation_interval", "s between measurements of travel times; 0: routes by free flow (1)",
     [](Scenario& s, const Value& v) { s.routing.adaptation_interval = v.time(0); }},
    {"routing.adaptation_steps", "measurements that are averaged; 0: average by weight (180)",
     [](Scenario& s, const Value& v) {
         s.routing.adaptation_steps = static_cast<int>(v.integer(0, most_adaptation_steps));
     }},
    {"routing.adaptation_weight", "of the travel time before against the one just measured, 0 to 1 (0)",
     [](Scenario& s, const Value& v) { s.routing.adaptation_weight = v.number(0, 1); }},
    {"routing.probability", "that a vehicle with a route is routed again, 0 to 1 (0)",
     [](Scenario& s, const Value& v) { s.routing.probability = v.number(0, 1); }},
    {"routing.vehicles", "ids of vehicles with a route that are routed again (none)", set_rerouted},
    {"routing.period", "s after which vehicles are routed again under way; 0: never (0)",
     [](Scenario& s, const Value& v) { s.routing.period = v.time(0); }},
    {"routing.synchronize", "under way at multiples of the period, all at once (false)",
     [](Scenario& s, const Value& v) { s.routing.synchronize = v.flag(); }},
    {"routing.pre_period", "s after which who still waits for entry is routed again; 0: never (60)",
     [](Scenario& s, const Value& v) { s.routing.pre_period = v.time(0); }},
    {"model.speed_deviation", "of the speed factor, for types that give none; -1: by class (-1)",
     [](Scenario& s, const Value& v) { s.types.speed_deviation = v.number(-1, 10); }},
    {"output.file", "results file; none: no output (results.h5)", set_output},
    {"output.trajectories.every", "s, a multiple of the step; 0: off (0)",
     [](Scenario& s, const Value& v) { s.output.trajectories_every = v.time(0); }},
    {"output.edges.every", "s, length of an interval; 0: off (300)",
     [](Scenario& s, const Value& v) { s.output.edges_every = v.time(0); }},
    {"output.lanes.every", "s, the same for lanes; 0: off (0)",
     [](Scenario& s, const Value& v) { s.output.lanes_every = v.time(0); }},
    {"output.trips", "a row per vehicle (true)", [](Scenario& s, const Value& v) { s.output.trips = v.flag(); }},
    {"output.summary", "a row per step (true)", [](Scenario& s, const Value& v) { s.output.summary = v.flag(); }},
    {"output.compression", "deflate level, 0 (none) to 9 (1)",
     [](Scenario& s, const Value& v) { s.output.compression = static_cast<int>(v.integer(0, 9)); }},
    {"output.flush_interval", "s of wall time after which readers see what was written (2)",
     [](Scenario& s, const Value& v) { s.output.flush_interval = v.number(0.01, 86400); }},
    {"output.precision", "m and m/s to which trajectories are kept; 0: all bits (0)",
     [](Scenario& s, const Value& v) { s.output.precision = v.number(0, 100); }},
    {"output.signals", "a row per switch (true)", [](Scenario& s, const Value& v) { s.output.signals = v.flag(); }},
    {"ranks.count", "this version runs on 1 (1)",
     [](Scenario& s, const Value& v) { s.ranks.count = static_cast<int>(v.integer(1, 1000000)); }},
    {"ranks.partition", "how the network is cut, for later versions (metis)",
     [](Scenario& s, const Value& v) { s.ranks.partition = v.text(); }},
    {"ranks.rebalance", "greatest over mean load that is let be, for later versions (1.2)",
     [](Scenario& s, const Value& v) { s.ranks.rebalance = v.number(1, 1e6); }},
};

const ScenarioKey* find_key(std::string_view name) {
    for (const ScenarioKey& key : keys) {
        if (key.name == name) return &key;
    }
    return nullptr;
}

bool is_section(std::string_view name) {
    for (const ScenarioKey& key : keys) {
        if (key.name.starts_with(name) && key.name.substr(name.size()).starts_with(".")) return true;
    }
    return false;
}

[[noreturn]] void fail_unknown(std::string_view name, const std::string& where) {
    std::vector<std::string_view> names;
    for (const ScenarioKey& key : keys) names.push_back(key.name);
    const std::string_view near = nearest(name, names);
    throw InputError(fmt::format("{}: there is no key {}{}", where, quoted(name),
                                 near.empty() ? "" : fmt::format(", did you mean {}?", quoted(near))));
}

std::string place_of(const toml::node& node, const std::string& file) {
    return node.source().begin.line == 0 ? file : fmt::format("{}:{}", file, node.source().begin.line);
}

// A value that is no TOML (a path, say) is taken as a text.
void assign(Scenario& scenario, const std::string& assignment, const std::string& where) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0) throw InputError(where + ": expected key=value");
    const std::string key(trim(assignment.substr(0, equals))), value(trim(assignment.substr(equals + 1)));
    toml::table parsed;
    try {
        parsed = toml::parse("value = " + value);
    } catch (const toml::parse_error&) {
        parsed.insert("value", value);
    }
    if (parsed.size() != 1 || !parsed.contains("value")) throw InputError(where + ": expected key=value");
    toml::node& node = *parsed.get("value");
    if (find_key(key) == nullptr && !node.is_table()) fail_unknown(key, where);
    apply_key(scenario, key, node, where);
}

}  // namespace

std::span<const ScenarioKey> scenario_keys() { return keys; }

void ScenarioValue::fail(std::string_view expected) const {
    std::ostringstream written;
    node_.visit([&](const auto& value) { written << value; });
    throw InputError(fmt::format("{} is {}, expected {}", where_, written.str(), expected));
}

std::string ScenarioValue::text() const {
    const auto value = node_.value_exact<std::string>();
    if (!value || value->empty()) fail("a text in quotes");
    return *value;
}

std::vector<std::string> ScenarioValue::texts() const {
    const toml::array* array = node_.as_array();
    if (array == nullptr) return {text()};
    std::vector<std::string> all;
    for (const toml::node& element : *array) all.push_back(ScenarioValue(element, where_).text());
    return all;
}

bool ScenarioValue::flag() const {
    const auto value = node_.value_exact<bool>();
    if (!value) fail("true or false");
    return *value;
}

double ScenarioValue::number(double least, double most) const {
    const auto value = node_.is_number() ? node_.value<double>() : std::nullopt;
    if (!value || !(*value >= least && *value <= most)) fail(fmt::format("a number from {} to {}", least, most));
    return *value;
}

std::int64_t ScenarioValue::integer(std::int64_t least, std::int64_t most) const {
    const auto value = node_.value_exact<std::int64_t>();
    if (!value || *value < least || *value > most) fail(fmt::format("an integer from {} to {}", least, most));
    return *value;
}

double ScenarioValue::time(double least) const {
    const auto written = node_.value_exact<std::string>();
    const auto value = written ? parse_time(*written) : node_.is_number() ? node_.value<double>() : std::nullopt;
    if (!value || !(*value >= least && *value <= 1e12)) {
        fail(fmt::format("a time{}: seconds, or a text h:m:s or d:h:m:s",
                         least > -1e12 ? fmt::format(" of at least {} s", least) : ""));
    }
    return *value;
}

void apply_key(Scenario& scenario, const std::string& key, const toml::node& node, const std::string& where) {
    if (const ScenarioKey* known = find_key(key)) {
        return known->set(scenario, ScenarioValue(node, fmt::format("{}: {}", place_of(node, where), key)));
    }
    const toml::table* table = node.as_table();
    if (table == nullptr || (!key.empty() && !is_section(key))) fail_unknown(key, place_of(node, where));
    for (const auto& [name, child] : *table) {
        apply_key(scenario, key.empty() ? std::string(name.str()) : fmt::format("{}.{}", key, name.str()), child,
                  where);
    }
}

void apply_override(Scenario& scenario, const std::string& assignment) {
    try {
        assign(scenario, assignment, "--set " + assignment);
    } catch (const InputError& error) {
        throw CommandLineError(error.what());
    }
}

}  // namespace jamiton
