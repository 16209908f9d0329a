// jamiton generate: networks with demand from a few numbers, for Jamiton and SUMO alike.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "data/generate_scenario.hpp"
#include "data/sumo_demand_writer.hpp"
#include "data/sumo_network_writer.hpp"
#include "data/text_file.hpp"
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

int write(const Output& output, const GeneratedScenario& scenario) {
    const std::string config = output.kind + ".sumocfg";
    std::error_code error;
    for (const std::string& name : {std::string(network_file), std::string(routes_file), config}) {
        if (!output.force && std::filesystem::exists(output.path(name), error))
            throw InputError(output.path(name) + ": is there already; --force replaces it");
    }
    std::filesystem::create_directories(output.folder, error);
    if (error) throw InputError(output.folder + ": cannot be made: " + error.message());
    write_sumo_network(scenario.network, output.path(network_file));
    write_sumo_demand(scenario.demand, scenario.network, output.path(routes_file));
    write_scenario_file(output, output.path("scenario.toml"));
    write_sumo_config(output, output.path(config));
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

// Adds the kind; options lives as long as the program needs it.
template <class Options>
CLI::App* add_kind(CLI::App& generate, Action& action, const std::string& kind, const std::string& description,
                   const std::shared_ptr<Options>& options, GeneratedScenario (*make)(const Options&),
                   EntryOptions Options::*entry) {
    CLI::App* command = generate.add_subcommand(kind, description);
    const auto output = std::make_shared<Output>();
    command->add_option("--output", output->folder, "Folder for the files, made where it is not there")->required();
    command->add_flag("--force", output->force, "Replace files that are there");
    EntryOptions& demand = (*options).*entry;
    command->add_option("--end", demand.end, "End of demand and simulation, s")->check(CLI::Range(1.0, 1e7));
    command->add_option("--seed", demand.seed, "Seed of demand and simulation");
    command->callback([&action, command, kind, options, make, output, &demand] {
        action = [=, &demand] {
            output->kind = kind;
            output->command = command_line(*command);
            output->end = demand.end;
            output->seed = demand.seed;
            return write(*output, make(*options));
        };
    });
    return command;
}

const CLI::Range lanes(1, 8);
const CLI::Range speed(0.1, 100.0);  // m/s

void add_grid(CLI::App& generate, Action& action) {
    const auto grid = std::make_shared<GridOptions>();
    CLI::App* command = add_kind(generate, action, "grid", "Streets that cross at right angles", grid, generate_grid,
                                 &GridOptions::demand);
    command
        ->add_option_function<int>(
            "--size", [grid](int size) { grid->columns = grid->rows = size; }, "Junctions per side")
        ->check(CLI::Range(1, 1000))
        ->default_str("10");
    command->add_option("--lanes", grid->lanes, "Lanes per direction")->check(lanes);
    command->add_option("--spacing", grid->spacing, "Between junctions, m")->check(CLI::Range(80.0, 10000.0));
    command->add_option("--speed", grid->speed, "Speed limit, m/s")->check(speed);
    command->add_flag("--signals", grid->signals, "Signals at all junctions");
    command->add_option("--demand", grid->demand.rate, "Vehicles per hour")->check(CLI::Range(0.0, 1e7));
}

void add_corridor(CLI::App& generate, Action& action) {
    const auto corridor = std::make_shared<CorridorOptions>();
    CLI::App* command = add_kind(generate, action, "corridor", "A main street with crossings", corridor,
                                 generate_corridor, &CorridorOptions::demand);
    command->add_option("--size", corridor->junctions, "Crossings")->check(CLI::Range(1, 10000));
    command->add_option("--lanes", corridor->lanes, "Lanes per direction of the main street")->check(lanes);
    command->add_option("--side-lanes", corridor->side_lanes, "Lanes per direction of the side streets")->check(lanes);
    command->add_option("--spacing", corridor->spacing, "Between crossings, m")->check(CLI::Range(80.0, 10000.0));
    command->add_option("--speed", corridor->speed, "Speed limit of the main street, m/s")->check(speed);
    command->add_flag("--signals", corridor->signals, "Signals in a green wave, else the main street has priority");
    command->add_option("--demand", corridor->demand.rate, "Vehicles per hour")->check(CLI::Range(0.0, 1e7));
}

void add_ring(CLI::App& generate, Action& action) {
    const auto ring = std::make_shared<RingOptions>();
    CLI::App* command = add_kind(generate, action, "ring", "A circular road with vehicles that stay on it", ring,
                                 generate_ring, &RingOptions::demand);
    command->add_option("--length", ring->length, "Of the road, m")->check(CLI::Range(40.0, 1e5));
    command->add_option("--lanes", ring->lanes, "Lanes")->check(lanes);
    command->add_option("--vehicles", ring->vehicles, "Evenly spaced, from standstill")->check(CLI::Range(1, 100000));
    command->add_option("--speed", ring->speed, "Speed limit, m/s")->check(speed);
}

}  // namespace

void add_generate(CLI::App& app, Action& action) {
    CLI::App* command = app.add_subcommand("generate", "Make a network with demand: grid, corridor or ring");
    command->require_subcommand(1);
    command->option_defaults()->always_capture_default();
    command->footer("Writes net.net.xml, routes.rou.xml, scenario.toml and a configuration for SUMO.");
    add_grid(*command, action);
    add_corridor(*command, action);
    add_ring(*command, action);
}

}  // namespace jamiton
