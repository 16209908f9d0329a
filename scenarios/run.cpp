// jamiton run: a scenario from its files to its results.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <csignal>
#include <fstream>
#include <optional>

#include "engine/core/log.hpp"
#include "engine/core/memory.hpp"
#include "engine/simulation.hpp"
#include "scenarios/commands.hpp"
#include "scenarios/progress.hpp"
#include "scenarios/recorder.hpp"
#include "scenarios/run_summary.hpp"
#include "scenarios/scenario.hpp"
#include "scenarios/scenario_keys.hpp"
#include "scenarios/sumo_outputs.hpp"

namespace jamiton {
namespace {

#ifdef NDEBUG
constexpr bool checks_each_step = false;
#else
constexpr bool checks_each_step = true;
#endif

struct RunCommand {
    std::string scenario;
    std::vector<std::string> set;  // key=value
    std::string sumo_outputs;      // folder, empty: none
    bool quiet = false, lenient = false;
};

// The whole of it, in quotes where a shell would need them.
std::string command_line() {
    std::ifstream arguments("/proc/self/cmdline", std::ios::binary);
    std::string line;
    for (std::string argument; std::getline(arguments, argument, '\0');) {
        const bool plain =
            !argument.empty() && argument.find_first_of(" \t\n\"'\\$`*?;&|<>(){}[]~#!") == std::string::npos;
        line += (line.empty() ? "" : " ") + (plain ? argument : "'" + argument + "'");
    }
    return line;
}

volatile std::sig_atomic_t received_signal = 0;

// The first one ends the run with its files closed, the second one the program at once.
void remember_signal(int signal) {
    received_signal = signal;
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

Demand make_demand(const Scenario& s, const ScenarioInput& input, const Network& network) {
    DemandOptions o;
    o.seed = s.seed;
    o.begin = s.begin;
    o.end = s.end;
    o.step = s.step;
    o.scale = s.scale;
    o.scale_suffix = s.scale_suffix;
    o.extrapolate_depart_pos = s.extrapolate_depart_pos;
    o.routing = s.routing;
    o.record = s.record;
    o.max_depart_delay = s.max_depart_delay;
    o.ignore_route_errors = s.ignore_route_errors;
    o.random_depart_offset = s.random_depart_offset;
    return build_demand(input.demand, input.network, network, o);
}

Device choose_device(const std::string& wanted) {
    if (wanted == "cuda" && !cuda_available()) {
        throw InputError("device cuda: this build or this machine has none; expected auto or cpu");
    }
    return wanted != "cpu" && cuda_available() ? Device::cuda : Device::host;
}

SimulationOptions simulation_options(const Scenario& s) {
    SimulationOptions o;
    o.begin = s.begin;
    o.step = s.step;
    o.ballistic = s.ballistic;
    o.seed = s.seed;
    o.threads = s.threads;
    o.device = choose_device(s.device);
    o.time_to_teleport = s.time_to_teleport;
    o.time_to_impatience = s.time_to_impatience;
    o.edge_statistics = !s.output.file.empty() && s.output.edges_every > 0;
    o.lane_statistics = !s.output.file.empty() && s.output.lanes_every > 0;
    return o;
}

// A SUMO configuration may ask for files that nobody writes, or nobody without --sumo-outputs.
void warn_of_missing_outputs(const Scenario& scenario, bool writes_outputs) {
    std::string names, hint;
    for (const auto& [option, file] : scenario.sumo_outputs) {
        if (is_written_output(option)) {
            if (writes_outputs) continue;
            hint = " (--sumo-outputs DIR writes some)";
        }
        names += (names.empty() ? "" : ", ") + option;
    }
    if (!names.empty()) log_warning(scenario.path, ": SUMO's output files are not written: ", names, hint);
}

void print_warnings(const UnsupportedReport& report, const Demand& demand) {
    for (const std::string& line : report.lines()) log_warning(line);
    for (const std::string& line : demand.warnings) log_warning(line);
}

// Steps until the end or a signal; true: the end was reached.
bool run_steps(const Scenario& scenario, Simulation& simulation, Recorder& recorder, Progress& progress) {
    const bool endless = scenario.end < 0;
    const auto steps = endless ? 0 : std::llround(std::ceil((scenario.end - scenario.begin) / scenario.step - 1e-6));
    const auto goes_on = [&] { return endless ? !simulation.everybody_left() : simulation.steps() < steps; };
    progress.start(scenario.begin, scenario.end, scenario.step);
    while (received_signal == 0 && goes_on()) {
        simulation.step();
        if (checks_each_step) simulation.check_conservation();
        recorder.record(simulation);
        progress.update(simulation.summary());
    }
    simulation.check_conservation();
    return !goes_on();
}

struct Course {
    bool complete = false;  // the end was reached
    double seconds = 0;     // wall time of its steps
};

// The results say that a run is finished only when nothing has gone wrong up to its end.
Course simulate(const Scenario& scenario, Simulation& simulation, Recorder& recorder, Progress& progress) {
    try {
        Course course;
        course.complete = run_steps(scenario, simulation, recorder, progress);
        course.seconds = progress.wall_seconds();
        progress.clear();
        recorder.finish(simulation, course.complete, progress.loading());
        return course;
    } catch (...) {
        progress.clear();
        recorder.give_up();
        throw;
    }
}

int run(const RunCommand& command) {
    const auto start = WallClock::now();
    set_quiet(command.quiet);
    std::signal(SIGPIPE, SIG_IGN);  // a reader that goes away does not end the run: what it writes to files counts
    UnsupportedReport report(command.lenient);
    Scenario scenario = load_scenario(command.scenario, command.set, report);
    if (!command.sumo_outputs.empty()) prepare_sumo_outputs(scenario, command.sumo_outputs);
    SimulationOptions options = simulation_options(scenario);
    if (options.device == Device::cuda) share_memory_with_device();  // before the first array
    if (!scenario.output.file.empty()) check_results_target(scenario.output.file);

    Progress progress(command.quiet);
    const ScenarioInput input = progress.load("read the files", [&] { return read_inputs(scenario, report); });
    Network network = progress.load("build the network", [&] { return build_network(input.network); });
    Demand demand = progress.load("build the demand", [&] { return make_demand(scenario, input, network); });
    print_warnings(report, demand);
    warn_of_missing_outputs(scenario, !command.sumo_outputs.empty());
    if (!scenario.output.file.empty()) options.measures = input.demand.measures;
    Simulation simulation(input.network, std::move(network), std::move(demand), options);
    std::optional<SumoOutputs> sumo_outputs;
    if (!command.sumo_outputs.empty()) sumo_outputs.emplace(scenario, simulation.measures(), command.sumo_outputs);
    Recorder recorder(scenario, command_line(), input.network, simulation);

    std::signal(SIGINT, remember_signal);
    std::signal(SIGTERM, remember_signal);
    const double loading = seconds_since(start);
    const auto [complete, running] = simulate(scenario, simulation, recorder, progress);
    if (sumo_outputs) sumo_outputs->write();
    if (!command.quiet) {
        const double simulated = static_cast<double>(simulation.steps()) * scenario.step;
        print_run_summary(simulation, simulated, complete, {loading, running}, scenario.output.file);
    }
    if (complete) return done;
    return received_signal == SIGINT ? interrupted : terminated;
}

constexpr const char* examples = R"(
Examples:
  jamiton run scenarios/oldtown
  jamiton run city.sumocfg --output city.h5 --end 3600 --threads 4
  jamiton run city.sumocfg --lenient --set output.trajectories.every=1 --set output.edges.every=60

Inputs are found from the folder of the scenario file, outputs from the current one. An existing result is replaced
when the run begins; a file that is no result is not. Ctrl-C or SIGTERM ends a run with its results closed, a second
one at once. A run without an end goes on until nobody is left; each simulated hour it says how many are.

Exit codes: 0 done, 1 input or environment, 2 command line, 3 internal error, 130 Ctrl-C, 143 SIGTERM.

Keys of a scenario file and of --set, with unit and, in brackets, default:
)";

std::string footer() {
    std::string text = examples;
    for (const ScenarioKey& key : scenario_keys()) text += fmt::format("  {:28} {}\n", key.name, key.about);
    return text;
}

void add_options(CLI::App& app, RunCommand& options) {
    const auto key = [&](const char* option, const char* name, const char* unit, const char* about) {
        const auto set = [&options, name](const std::string& value) { options.set.push_back(text(name, "=", value)); };
        app.add_option_function<std::string>(option, set, about)->type_name(unit);
    };
    app.add_option("scenario", options.scenario, "TOML file, folder with scenario.toml, or SUMO configuration")
        ->type_name("PATH")
        ->required();
    key("--output", "output.file", "FILE.h5", "Results file, or none (results.h5)");
    key("--begin", "time.begin", "TIME", "Begin of the simulated time, s or h:m:s (0)");
    key("--end", "time.end", "TIME", "End of the simulated time, s or h:m:s; -1: until nobody is left (-1)");
    key("--step-length", "time.step", "S", "Step, s (1)");
    key("--seed", "run.seed", "N", "Seed of all random numbers (the file's, else 42)");
    key("--device", "run.device", "NAME", "auto, cpu or cuda (auto)");
    key("--threads", "run.threads", "N", "Host threads, 0: one per core (0)");
    key("--ranks", "ranks.count", "N", "Ranks; this version runs on 1 (1)");
    app.add_option("--sumo-outputs", options.sumo_outputs,
                   "Folder for the output files that a SUMO configuration and its additional files name")
        ->check([](const std::string& folder) { return folder.empty() ? "expected the name of a folder" : ""; })
        ->type_name("DIR");
    const auto set_all = [&options](const std::vector<std::string>& all) {
        options.set.insert(options.set.end(), all.begin(), all.end());
    };
    app.add_option_function<std::vector<std::string>>("--set", set_all,
                                                      "Any key below; the options above are short for some of them")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    app.add_flag("--lenient", options.lenient, "Warn of input that is not simulated instead of stopping");
    app.add_flag("--quiet", options.quiet, "No progress and no summary; warnings and errors still appear");
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
    const auto options = std::make_shared<RunCommand>();
    CLI::App* command = app.add_subcommand("run", "Run a scenario and write its results");
    command->footer(footer);
    add_options(*command, *options);
    command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace jamiton
