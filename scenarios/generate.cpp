// jamiton generate: networks with demand from a few numbers, for Jamiton and SUMO alike.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>

#include "data/generate_scenario.hpp"
#include "data/sumo_demand_writer.hpp"
#include "data/sumo_network_writer.hpp"
#include "data/text_file.hpp"
#include "data/text_values.hpp"
#include "engine/core/check.hpp"
#include "engine/core/log.hpp"
#include "scenarios/commands.hpp"

namespace jamiton {
namespace {

constexpr const char *network_file = "net.net.xml", *routes_file = "routes.rou.xml";

struct Output {
    std::string folder;
    bool force = false;
    std::string kind, command;  // "grid"; what was asked for, so that it can be made again
    double end = 0;             // s
    std::uint64_t seed = 42;

    std::string path(const std::string& name) const { return (std::filesystem::path(folder) / name).string(); }
};

void write_scenario_file(const Output& output, const std::string& path) {
    TextFile file(path);
    file.print("# Made by: {}\n\n[network]\nfile = \"{}\"\n\n[demand]\nfiles = [\"{}\"]\n\n", output.command,
               network_file, routes_file);
    file.print("[time]\nend = {}\n\n[run]\nseed = {}\n", short_number(output.end), output.seed);
    file.close();
}

void write_sumo_config(const Output& output, const std::string& path) {
    TextFile file(path);
    file.print("<configuration>\n    <net-file value=\"{}\"/>\n    <route-files value=\"{}\"/>\n", network_file,
               routes_file);
    const std::uint64_t sumo_seed = output.seed % (std::uint64_t{1} << 31);  // SUMO knows 31 bits
    file.print("    <end value=\"{}\"/>\n    <seed value=\"{}\"/>\n</configuration>\n", short_number(output.end),
               sumo_seed);
    file.close();
}

// All of the files or none.
void write_files(const Output& output, const GeneratedScenario& scenario, const std::array<std::string, 4>& paths) {
    std::size_t written = 0;
    try {
        write_sumo_network(scenario.network, paths[written]);
        write_sumo_demand(scenario.demand, scenario.network, paths[++written]);
        write_scenario_file(output, paths[++written]);
        write_sumo_config(output, paths[++written]);
    } catch (...) {
        for (std::size_t n = 0; n < written; ++n) std::remove(paths[n].c_str());
        throw;
    }
}

int write(const Output& output, const GeneratedScenario& scenario) {
    if (output.folder.empty()) throw InputError("--output is empty: expected a folder");
    const std::array<std::string, 4> paths = {output.path(network_file), output.path(routes_file),
                                              output.path("scenario.toml"), output.path(output.kind + ".sumocfg")};
    std::error_code error;
    for (const std::string& path : paths) {
        if (!output.force && std::filesystem::exists(path, error))
            throw InputError(path + ": is there already; --force replaces it");
    }
    std::filesystem::create_directories(output.folder, error);
    if (error) throw InputError(output.folder + ": cannot be made: " + error.message());
    write_files(output, scenario, paths);
    log_info(output.folder, ": ",
             std::ranges::count(scenario.network.edges, EdgeFunction::normal, &EdgeDescription::function), " edges, ",
             scenario.demand.vehicles.size(), " vehicles; run it with jamiton run ", output.folder);
    return done;
}

// The options that say what is made.
std::string command_line(const CLI::App& command) {
    std::string line = "jamiton generate " + command.get_name();
    for (const CLI::Option* option : command.get_options()) {
        const std::string name = option->get_name();
        if (option->count() == 0 || name == "--output" || name == "--force") continue;
        line += " " + name;
        if (option->get_items_expected_max() > 0) line += " " + option->results().back();
    }
    return line;
}

// CLI::Range lets NaN pass and fills the help with numbers.
CLI::Validator between(double least, double most) {
    return {[least, most](const std::string& value) {
                const auto number = parse_number(value);
                const bool good = number && *number >= least && *number <= most;
                return good ? "" : fmt::format("{} is no number from {} to {}", jamiton::quoted(value), least, most);
            },
            ""};
}

// A subcommand for a kind of network.
template <class Options>
class Kind {
  public:
    Kind(
        CLI::App& generate, Action& action, const std::string& name, const std::string& description,
        GeneratedScenario (*make)(const Options&), void (*check)(const Options&) = [](const Options&) {})
        : command_(generate.add_subcommand(name, description)) {
        output_->kind = name;
        command_->add_option("--output", output_->folder, "Folder for the files, made where it is not there")
            ->type_name("DIR")
            ->required();
        command_->add_flag("--force", output_->force, "Replace files that are there");
        number("--end", options_->demand.end, "S", "End of the simulation", between(1, 1e7));
        number("--seed", options_->demand.seed, "N", "Seed of demand and simulation", between(0, 1e18));
        command_->callback([&action, command = command_, options = options_, output = output_, make, check] {
            check(*options);
            action = [=] {
                output->command = command_line(*command);
                output->end = options->demand.end;
                output->seed = options->demand.seed;
                return write(*output, make(*options));
            };
        });
    }

    template <class T>
    void number(const std::string& name, T& value, const std::string& unit, const std::string& about,
                const CLI::Validator& range) {
        command_->add_option(name, value, about)->type_name(unit)->check(range);
    }
    void lanes(const std::string& name, int& value, const std::string& about) {
        number(name, value, "N", about, between(1, 8));
    }
    void speed(double& value) { number("--speed", value, "M/S", "Speed limit", between(0.1, 100)); }
    void demand() { number("--demand", options_->demand.rate, "N", "Vehicles per hour", between(0, 1e7)); }
    void flag(const std::string& name, bool& value, const std::string& about) {
        command_->add_flag(name, value, about);
    }
    Options& options() { return *options_; }

  private:
    // The program's actions outlive this object.
    std::shared_ptr<Options> options_ = std::make_shared<Options>();
    std::shared_ptr<Output> output_ = std::make_shared<Output>();
    CLI::App* command_;
};

void add_grid(CLI::App& generate, Action& action) {
    Kind<GridOptions> kind(generate, action, "grid", "Streets that cross at right angles", generate_grid);
    GridOptions& grid = kind.options();
    kind.number("--size", grid.size, "N", "Junctions per side", between(1, 1000));
    kind.lanes("--lanes", grid.lanes, "Lanes per direction");
    kind.number("--spacing", grid.spacing, "M", "Between junctions", between(80, 10000));
    kind.speed(grid.speed);
    kind.flag("--signals", grid.signals,
              "Signals; else the right goes first, or on several lanes the west-east streets");
    kind.demand();
}

void add_corridor(CLI::App& generate, Action& action) {
    Kind<CorridorOptions> kind(generate, action, "corridor", "A main street with crossings", generate_corridor);
    CorridorOptions& corridor = kind.options();
    kind.number("--size", corridor.junctions, "N", "Crossings", between(1, 10000));
    kind.lanes("--lanes", corridor.lanes, "Lanes per direction of the main street");
    kind.lanes("--side-lanes", corridor.side_lanes, "Lanes per direction of the side streets");
    kind.number("--spacing", corridor.spacing, "M", "Between crossings", between(80, 10000));
    kind.speed(corridor.speed);
    kind.flag("--signals", corridor.signals, "Signals in a green wave; else the main street has priority");
    kind.demand();
}

void check_room(const RingOptions& ring) {
    const int most = most_vehicles(ring);
    if (ring.vehicles > most) throw CLI::ValidationError("--vehicles", fmt::format("there is room for {}", most));
}

void add_ring(CLI::App& generate, Action& action) {
    Kind<RingOptions> kind(generate, action, "ring", "A circular road with vehicles that stay on it", generate_ring,
                           check_room);
    RingOptions& ring = kind.options();
    kind.number("--length", ring.length, "M", "Of the road", between(40, 1e5));
    kind.lanes("--lanes", ring.lanes, "Lanes");
    kind.number("--vehicles", ring.vehicles, "N", "Evenly spaced, from standstill", between(1, 1e5));
    kind.speed(ring.speed);
}

}  // namespace

void add_generate(CLI::App& app, Action& action) {
    CLI::App* command = app.add_subcommand("generate", "Make a network with demand: grid, corridor or ring");
    command->require_subcommand(1);
    command->option_defaults()->always_capture_default();
    command->footer(R"(
Examples:
  jamiton generate grid --size 10 --lanes 2 --signals --demand 3600 --output grid
  jamiton generate ring --output ring
  jamiton run ring
  sumo -c ring/ring.sumocfg

Writes net.net.xml, routes.rou.xml, scenario.toml and a SUMO configuration. Equal options and seed give equal files.
Exit codes: 0 done, 1 input or environment, 2 command line.)");
    add_grid(*command, action);
    add_corridor(*command, action);
    add_ring(*command, action);
}

}  // namespace jamiton
