// The keys of a scenario file.
#pragma once

#include <toml++/toml.h>
#include <span>
#include <string>
#include <string_view>

#include "scenarios/scenario.hpp"

namespace jamiton {

// One value, with what a message says of where it stands.
class ScenarioValue {
  public:
    ScenarioValue(const toml::node& node, std::string where) : node_(node), where_(std::move(where)) {}

    std::string text() const;
    std::vector<std::string> texts() const;  // one text or an array of them
    bool flag() const;
    double number(double least, double most) const;
    std::int64_t integer(std::int64_t least, std::int64_t most) const;
    double time(double least) const;  // s, from a number or a text h:m:s
    [[noreturn]] void fail(std::string_view expected) const;

  private:
    const toml::node& node_;
    std::string where_;
};

struct ScenarioKey {
    std::string_view name;
    std::string_view about;  // unit, meaning and, in brackets, default: for --help
    void (*set)(Scenario& scenario, const ScenarioValue& value);
};

std::span<const ScenarioKey> scenario_keys();

// Sets the key, or every key of a table. where begins messages ("scenario.toml").
void apply_key(Scenario& scenario, const std::string& key, const toml::node& node, const std::string& where);

// "time.end=7200". Throws CommandLineError.
void apply_override(Scenario& scenario, const std::string& assignment);

}  // namespace jamiton
