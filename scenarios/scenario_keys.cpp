#include "scenarios/scenario_keys.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <sstream>

#include "data/text_values.hpp"
#include "engine/core/check.hpp"

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

constexpr double most = 1e12;

constexpr ScenarioKey keys[] = {
    {"network.file", [](Scenario& s, const Value& v) { s.network = beside(s, v.text()); }},
    {"demand.files", [](Scenario& s, const Value& v) { s.routes = files(s, v); }},
    {"demand.additional", [](Scenario& s, const Value& v) { s.additional = files(s, v); }},
    {"demand.scale", [](Scenario& s, const Value& v) { s.scale = v.number(0, 1e6); }},
    {"demand.ignore_route_errors", [](Scenario& s, const Value& v) { s.ignore_route_errors = v.flag(); }},
    {"demand.max_depart_delay", [](Scenario& s, const Value& v) { s.max_depart_delay = v.time(-1); }},
    {"demand.random_depart_offset", [](Scenario& s, const Value& v) { s.random_depart_offset = v.time(0); }},
    {"time.begin", [](Scenario& s, const Value& v) { s.begin = v.time(0); }},
    {"time.end", [](Scenario& s, const Value& v) { s.end = v.time(-1); }},
    {"time.step", [](Scenario& s, const Value& v) { s.step = v.time(0.001); }},
    {"run.seed", [](Scenario& s, const Value& v) { s.seed = static_cast<std::uint64_t>(v.integer(0, INT64_MAX)); }},
    {"run.device", set_device},
    {"run.threads", [](Scenario& s, const Value& v) { s.threads = static_cast<int>(v.integer(0, 4096)); }},
    {"run.lenient", [](Scenario& s, const Value& v) { s.lenient = v.flag(); }},
    {"model.ballistic", [](Scenario& s, const Value& v) { s.ballistic = v.flag(); }},
    {"model.time_to_teleport", [](Scenario& s, const Value& v) { s.time_to_teleport = v.time(-most); }},
    {"model.time_to_impatience", [](Scenario& s, const Value& v) { s.time_to_impatience = v.time(-most); }},
    {"model.minor_penalty", [](Scenario& s, const Value& v) { s.minor_penalty = v.number(0, most); }},
    {"model.speed_deviation", [](Scenario& s, const Value& v) { s.types.speed_deviation = v.number(-1, 10); }},
    {"output.file", set_output},
    {"output.trajectories.every", [](Scenario& s, const Value& v) { s.output.trajectories_every = v.time(0); }},
    {"output.edges.every", [](Scenario& s, const Value& v) { s.output.edges_every = v.time(0); }},
    {"output.trips", [](Scenario& s, const Value& v) { s.output.trips = v.flag(); }},
    {"output.summary", [](Scenario& s, const Value& v) { s.output.summary = v.flag(); }},
    {"output.signals", [](Scenario& s, const Value& v) { s.output.signals = v.flag(); }},
    {"ranks.count", [](Scenario& s, const Value& v) { s.ranks.count = static_cast<int>(v.integer(1, 1000000)); }},
    {"ranks.partition", [](Scenario& s, const Value& v) { s.ranks.partition = v.text(); }},
    {"ranks.rebalance", [](Scenario& s, const Value& v) { s.ranks.rebalance = v.number(1, 1e6); }},
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

// A value that is no TOML (a path, say) is taken as a text.
void apply_override(Scenario& scenario, const std::string& assignment) {
    const std::size_t equals = assignment.find('=');
    const std::string where = "--set " + assignment;
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

}  // namespace jamiton
