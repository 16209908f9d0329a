#include "data/sumo_config.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "data/sumo_options.hpp"

namespace jamiton {

namespace {

// How an option that is supported gets into the configuration.
struct Setter {
    std::string_view name;
    void (*set)(SumoConfig& config, const Element& element, std::string_view value);
};

[[noreturn]] void fail_value(const Element& element, std::string_view value, std::string_view expected) {
    element.fail(fmt::format("is {}, expected {}", quoted(value), expected));
}

double number(const Element& element, std::string_view value, double least = -1e12) {
    const auto parsed = parse_number(value);
    if (!parsed || *parsed < least) {
        fail_value(element, value, least == 0 ? "a number that is not negative" : "a number");
    }
    return *parsed;
}

double time(const Element& element, std::string_view value) {
    const auto parsed = parse_time(value);
    if (!parsed) fail_value(element, value, "a time: seconds, h:m:s or d:h:m:s");
    return *parsed;
}

bool flag(const Element& element, std::string_view value) {
    const auto parsed = parse_flag(value);
    if (!parsed) fail_value(element, value, "true or false");
    return *parsed;
}

std::string beside(const Element& element, std::string_view file) {
    return (std::filesystem::path(element.file()).parent_path() / std::filesystem::path(trim(file))).string();
}

std::vector<std::string> files(const Element& element, std::string_view list) {
    std::vector<std::string> paths;
    for_each_word(list, ",", [&](std::string_view file) {
        if (!trim(file).empty()) paths.push_back(beside(element, file));
    });
    return paths;
}

void set_seed(SumoConfig& config, const Element& element, std::string_view value) {
    const auto seed = parse_integer(value);
    if (!seed || *seed < 0) fail_value(element, value, "an integer that is not negative");
    config.seed = static_cast<std::uint64_t>(*seed);
}

void set_step(SumoConfig& config, const Element& element, std::string_view value) {
    config.step_length = time(element, value);
    if (config.step_length < least_step || config.step_length > most_step) {
        fail_value(element, value, fmt::format("a time from {} to {} s", least_step, most_step));
    }
}

void set_emergency_decel(SumoConfig& config, const Element& element, std::string_view value) {
    config.types.emergency_is_decel = value == "decel";
    if (value != "decel" && value != "default") config.types.emergency_decel = number(element, value, 0);
}

void set_car_follow(SumoConfig& config, const Element& element, std::string_view value) {
    if (!is_car_follow_model(value)) fail_value(element, value, "the name of a car following model (Krauss, IDM, ...)");
    config.types.car_follow = value;
}

void set_begin(SumoConfig& config, const Element& element, std::string_view value) {
    config.begin = time(element, value);
    if (config.begin < 0) fail_value(element, value, "a time that is not negative");
}

double period(const Element& element, std::string_view value) {
    const double seconds = time(element, value);
    if (seconds < 0) fail_value(element, value, "a time that is not negative");
    return seconds;
}

void set_adaptation_steps(SumoConfig& config, const Element& element, std::string_view value) {
    const double steps = number(element, value, 0);
    if (steps > most_adaptation_steps || steps != std::floor(steps))
        fail_value(element, value, fmt::format("an integer from 0 to {}", most_adaptation_steps));
    config.routing.adaptation_steps = static_cast<int>(steps);
}

void set_adaptation_weight(SumoConfig& config, const Element& element, std::string_view value) {
    config.routing.adaptation_weight = number(element, value, 0);
    if (config.routing.adaptation_weight > 1) fail_value(element, value, "a number from 0 to 1");
}

// That a vehicle has a device; -1, as SUMO has it, that nothing is said. Wrong ones are told of every device.
void check_probability(const Element& element, std::string_view value) {
    const double probability = number(element, value);
    if (probability != -1 && (probability < 0 || probability > 1)) fail_value(element, value, "a number from 0 to 1");
}

bool is_probability(const SumoOption& option) {
    return option.name.find("device.") != option.name.npos && option.name.ends_with(".probability");
}

void set_recorded_vehicles(SumoConfig& config, const Element&, std::string_view value) {
    for_each_word(value, ", ", [&](std::string_view id) { config.record.vehicles.emplace_back(id); });
}

void set_rerouting_vehicles(SumoConfig& config, const Element&, std::string_view value) {
    for_each_word(value, ", ", [&](std::string_view id) { config.routing.vehicles.emplace(id); });
}

void set_action_step(SumoConfig& config, const Element& element, std::string_view value) {
    config.types.action_step_length = number(element, value, 0);
}

constexpr Setter setters[] = {
    {"net-file", [](auto& c, auto& e, auto v) { c.net_file = v.empty() ? "" : beside(e, v); }},
    {"route-files", [](auto& c, auto& e, auto v) { c.route_files = files(e, v); }},
    {"additional-files", [](auto& c, auto& e, auto v) { c.additional_files = files(e, v); }},
    {"begin", set_begin},
    {"end", [](auto& c, auto& e, auto v) { c.end = time(e, v); }},
    {"step-length", set_step},
    {"seed", set_seed},
    {"step-method.ballistic", [](auto& c, auto& e, auto v) { c.ballistic = flag(e, v); }},
    {"ignore-route-errors", [](auto& c, auto& e, auto v) { c.ignore_route_errors = flag(e, v); }},
    {"time-to-teleport", [](auto& c, auto& e, auto v) { c.time_to_teleport = time(e, v); }},
    {"tls.all-off", [](auto& c, auto& e, auto v) { c.signals_off = flag(e, v); }},
    {"time-to-impatience", [](auto& c, auto& e, auto v) { c.time_to_impatience = time(e, v); }},
    {"max-depart-delay", [](auto& c, auto& e, auto v) { c.max_depart_delay = time(e, v); }},
    {"random-depart-offset", [](auto& c, auto& e, auto v) { c.random_depart_offset = time(e, v); }},
    {"scale", [](auto& c, auto& e, auto v) { c.scale = number(e, v, 0); }},
    {"extrapolate-departpos", [](auto& c, auto& e, auto v) { c.extrapolate_depart_pos = flag(e, v); }},
    {"scale-suffix", [](auto& c, auto&, auto v) { c.scale_suffix = v; }},
    {"weights.minor-penalty", [](auto& c, auto& e, auto v) { c.routing.minor_penalty = number(e, v, 0); }},
    {"device.rerouting.adaptation-interval",
     [](auto& c, auto& e, auto v) { c.routing.adaptation_interval = period(e, v); }},
    {"device.rerouting.adaptation-steps", set_adaptation_steps},
    {"device.rerouting.adaptation-weight", set_adaptation_weight},
    {"device.rerouting.probability", [](auto& c, auto& e, auto v) { c.routing.probability = number(e, v); }},
    {"device.rerouting.explicit", set_rerouting_vehicles},
    {"device.rerouting.period", [](auto& c, auto& e, auto v) { c.routing.period = period(e, v); }},
    {"device.rerouting.synchronize", [](auto& c, auto& e, auto v) { c.routing.synchronize = flag(e, v); }},
    {"device.rerouting.pre-period", [](auto& c, auto& e, auto v) { c.routing.pre_period = period(e, v); }},
    {"device.tripinfo.probability", [](auto& c, auto& e, auto v) { c.record.probability = number(e, v); }},
    {"device.tripinfo.explicit", set_recorded_vehicles},
    {"lanechange.overtake-right", [](auto& c, auto& e, auto v) { c.types.overtake_right = flag(e, v); }},
    {"default.speeddev", [](auto& c, auto& e, auto v) { c.types.speed_deviation = number(e, v); }},
    {"default.action-step-length", set_action_step},
    {"default.carfollowmodel", set_car_follow},
    {"default.emergencydecel", set_emergency_decel},
};

bool same_value(std::string_view a, std::string_view b) {
    if (a == b) return true;
    const auto x = parse_time(a), y = parse_time(b);
    if (x && y) return *x == *y;
    const auto p = parse_flag(a), q = parse_flag(b);
    return p && q && *p == *q;
}

const SumoOption& option_of(const Element& element) {
    std::vector<std::string_view> names;
    for (const SumoOption& option : sumo_options()) {
        bool found = option.name == element.name();
        for_each_word(option.synonyms, " ",
                      [&](std::string_view synonym) { found = found || synonym == element.name(); });
        if (found) return option;
        names.push_back(option.name);
    }
    const std::string_view near = nearest(element.name(), names);
    element.fail(near.empty() ? "is no SUMO option" : fmt::format("is no SUMO option, did you mean <{}>?", near));
}

class ConfigReader : public XmlHandler {
  public:
    explicit ConfigReader(UnsupportedReport& report) : report_(report) {}

    void start(const Element& element) override {
        if (element.depth() == 0) return check_root(element);
        const auto value = element.find("value") ? element.find("value") : element.find("v");
        if (value) set(element, trim(*value));  // an element without a value is a section
    }

    SumoConfig config;

  private:
    void check_root(const Element& element) {
        for (std::string_view other : {"net", "routes", "additional", "add", "edges", "nodes", "connections", "osm"}) {
            if (element.name() == other) {
                element.fail("is the root of this file, expected <configuration> (a SUMO configuration)");
            }
        }
    }

    void set(const Element& element, std::string_view value) {
        const SumoOption& option = option_of(element);
        if (is_probability(option) && !value.empty()) check_probability(element, value);
        if (option.meaning == OptionMeaning::supported) {
            if (!seen_.insert(option.name).second) element.fail(fmt::format("sets the option {} again", option.name));
            if (value.empty()) return;
            for (const Setter& setter : setters) {
                if (setter.name == option.name) setter.set(config, element, value);
            }
        } else if (option.meaning == OptionMeaning::output && !value.empty()) {
            config.outputs.emplace_back(option.name, value);
        } else if (option.meaning == OptionMeaning::changes && !same_value(value, option.fallback)) {
            report_.unsupported(element, fmt::format("option {}", option.name));
        }
    }

    UnsupportedReport& report_;
    std::set<std::string_view> seen_;
};

}  // namespace

SumoConfig read_sumo_config(const std::string& path, UnsupportedReport& report) {
    ConfigReader reader(report);
    read_xml(path, reader);
    return std::move(reader.config);
}

}  // namespace jamiton
