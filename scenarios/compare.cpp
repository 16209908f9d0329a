// jamiton compare: what differs between the results of two runs.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>

#include "data/results_comparison.hpp"
#include "scenarios/commands.hpp"

namespace jamiton {
namespace {

// One line, and not too long for a table.
std::string brief(const std::string& words) {
    constexpr std::size_t most = 48;
    std::string line = words.substr(0, words.find('\n'));
    if (line.size() > most) line.resize(most);
    return line == words ? line : line + "...";
}

void print_differences(const std::vector<Difference>& differences) {
    std::size_t width = 4;
    for (const Difference& difference : differences) width = std::max(width, difference.what.size());
    for (const Difference& difference : differences) {
        fmt::print("{:{}}  {} | {}{}\n", difference.what, width, brief(difference.first), brief(difference.second),
                   difference.count.empty() ? "" : "  (" + difference.count + ")");
    }
}

void print_means(const std::vector<MeanDifference>& means) {
    if (means.empty()) return;
    fmt::print("\n{:22} {:>12} {:>12} {:>9}\n", "arrived vehicles, mean", "first", "second", "change");
    for (const MeanDifference& mean : means) {
        const double change = 100 * (mean.second - mean.first) / mean.first;
        const std::string name = mean.unit.empty() ? mean.what : fmt::format("{} in {}", mean.what, mean.unit);
        fmt::print("{:22} {:12.2f} {:12.2f} {:>9}\n", name, mean.first, mean.second,
                   std::isfinite(change) ? fmt::format("{:+.2f} %", change) : "");
    }
}

int compare(const std::string& first, const std::string& second) {
    const Comparison comparison = compare_results(ResultsReader(first), ResultsReader(second));
    if (comparison.differences.empty()) {
        fmt::print("equal: {} vehicles, {} steps, {} rows of trajectories\n", comparison.trips, comparison.steps,
                   comparison.rows);
        return done;
    }
    fmt::print("first:  {}\nsecond: {}\n\n", first, second);
    print_differences(comparison.differences);
    print_means(comparison.means);
    return bad_input;  // as of cmp and diff: 1 when they differ
}

}  // namespace

void add_compare(CLI::App& app, Action& action) {
    struct Files {
        std::string first, second;
    };
    const auto files = std::make_shared<Files>();
    CLI::App* command =
        app.add_subcommand("compare", "What differs between two results; exit code 0 when nothing does");
    command->footer(
        "Compares attributes, network, trips, summary, edges, signals and trajectories bit by bit. Left out: "
        "/performance and the attributes command and program_version.");
    command->add_option("first", files->first, "Results file")->required();
    command->add_option("second", files->second, "Results file")->required();
    command->callback([&action, files] { action = [files] { return compare(files->first, files->second); }; });
}

}  // namespace jamiton
