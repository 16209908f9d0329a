// jamiton run: a scenario from its files to its results.

#include <csignal>
#include <cmath>

#include <CLI/CLI.hpp>

#include "data/results.hpp"
#include "engine/core/log.hpp"
#include "engine/simulation.hpp"
#include "scenarios/commands.hpp"
#include "scenarios/progress.hpp"
#include "scenarios/scenario.hpp"

namespace jamiton {
namespace {

struct RunCommand {
    std::string scenario;
    std::vector<std::string> set;
    bool quiet = false, lenient = false;
    std::string command_line;
};

volatile std::sig_atomic_t received_signal = 0;

void remember_signal(int signal) { received_signal = signal; }

Demand make_demand(const Scenario& s, const ScenarioInput& input, const Network& network) {
    DemandOptions o;
    o.seed = s.seed;
    o.begin = s.begin;
    o.end = s.end;
    o.step = s.step;
    o.scale = s.scale;
    o.minor_penalty = s.minor_penalty;
    o.max_depart_delay = s.max_depart_delay;
    o.ignore_route_errors = s.ignore_route_errors;
    o.random_depart_offset = s.random_depart_offset;
    return build_demand(input.demand, input.network, network, o);
}

SimulationOptions simulation_options(const Scenario& s) {
    SimulationOptions o;
    o.begin = s.begin;
    o.step = s.step;
    o.ballistic = s.ballistic;
    o.seed = s.seed;
    o.threads = s.threads;
    o.time_to_teleport = s.time_to_teleport;
    o.time_to_impatience = s.time_to_impatience;
    o.edge_statistics = !s.output.file.empty() && s.output.edges_every > 0;
    if (s.device == "cuda" && !cuda_available()) throw InputError("device cuda: this build or this machine has none; expected auto or cpu");
    if (s.device != "cpu" && cuda_available()) o.device = Device::cuda;
    return o;
}

// What a run writes, and when.
class Recorder {
public:
    Recorder(const Scenario& s, const std::string& command, const ScenarioInput& input, const Simulation& simulation) : settings_(s.output), step_(s.step), begin_(s.begin) {
        if (s.output.file.empty()) return;
        RunInfo info;
        info.program_version = JAMITON_VERSION;
        info.command = command;
        info.scenario = s.text;
        info.seed = s.seed;
        info.step = s.step;
        info.begin = s.begin;
        info.projection = input.network.projection;
        VehicleList vehicles;
        vehicles.id = simulation.demand().ids;
        for (const Trip& trip : simulation.demand().trips) vehicles.type.push_back(trip.type);
        for (const VehicleType& type : simulation.demand().types) vehicles.type_names.push_back(type.id);
        OutputSettings writer;
        writer.trips = s.output.trips;
        writer_ = std::make_unique<ResultsWriter>(s.output.file, info, input.network, vehicles, writer);
        interval_begin_ = begin_;
    }

    void record(Simulation& simulation) {
        if (!writer_) return;
        if (settings_.summary) writer_->append(simulation.summary());
        if (settings_.trajectories_every > 0 && due(simulation.time(), settings_.trajectories_every)) writer_->append(simulation.trajectories());
        if (settings_.signals)
            for (SignalSwitch& s : simulation.signal_switches()) writer_->append(std::move(s));
        if (settings_.edges_every > 0 && simulation.time() + step_ >= interval_begin_ + settings_.edges_every - 1e-9) end_interval(simulation);
        if (settings_.trips && writer_->trips_due()) writer_->write_trips(simulation.trips());
    }

    void finish(Simulation& simulation, bool complete) {
        if (!writer_) return;
        if (settings_.edges_every > 0 && simulation.time() + step_ > interval_begin_ + 1e-9) end_interval(simulation);
        if (settings_.trips) writer_->write_trips(simulation.trips());
        writer_->set_performance(simulation.performance());
        writer_->finish({simulation.time() + step_, simulation.summary().state_hash, simulation.summary().collisions, complete});
    }

private:
    bool due(double time, double every) const {
        const double steps = std::round((time - begin_) / step_), period = std::max(1.0, std::round(every / step_));
        return std::fmod(steps, period) == 0;
    }

    void end_interval(Simulation& simulation) {
        const double end = simulation.time() + step_;
        writer_->append(simulation.take_edges(interval_begin_, end));
        interval_begin_ = end;
    }

    ScenarioOutput settings_;
    double step_, begin_, interval_begin_ = 0;
    std::unique_ptr<ResultsWriter> writer_;
};

int run(const RunCommand& options) {
    set_quiet(options.quiet);
    UnsupportedReport report(options.lenient);
    const Scenario scenario = load_scenario(options.scenario, options.set, report);
    report.set_lenient(report.lenient() || scenario.lenient);
    const ScenarioInput input = read_inputs(scenario, report);
    Network network = build_network(input.network);
    Demand demand = make_demand(scenario, input, network);
    for (const std::string& line : report.lines()) log_warning(line);
    for (const std::string& line : demand.warnings) log_warning(line);
    Simulation simulation(input.network, std::move(network), std::move(demand), simulation_options(scenario));

    std::signal(SIGINT, remember_signal);
    std::signal(SIGTERM, remember_signal);
    Recorder recorder(scenario, options.command_line, input, simulation);
    Progress progress(scenario.begin, scenario.end, scenario.step, options.quiet);
    const auto steps = scenario.end < 0 ? -1 : std::llround(std::ceil((scenario.end - scenario.begin) / scenario.step - 1e-9));
    while (received_signal == 0 && (steps < 0 ? !simulation.everybody_left() : simulation.steps() < steps)) {
        simulation.step();
        recorder.record(simulation);
        progress.update(simulation.summary());
    }
    recorder.finish(simulation, received_signal == 0);
    simulation.check_conservation();
    progress.finish(simulation, scenario.output.file, received_signal != 0);
    if (received_signal != 0) return received_signal == SIGINT ? interrupted : terminated;
    return done;
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
    CLI::App* command = app.add_subcommand("run", "Run a scenario: a TOML file, a folder with scenario.toml, or a SUMO configuration");
    auto options = std::make_shared<RunCommand>();
    const auto set_key = [options](const char* key) { return [options, key](const std::string& value) { options->set.push_back(std::string(key) + "=" + value); }; };
    command->add_option("scenario", options->scenario, "Scenario file or folder")->required();
    command->add_option("--set", options->set, "Any key of the scenario file, as section.key=value")->type_name("KEY=VALUE")->allow_extra_args(false);
    command->add_option_function<std::string>("--output", set_key("output.file"), "Results file; none: no output")->type_name("FILE.h5");
    command->add_option_function<std::string>("--begin", set_key("time.begin"), "Begin of the simulated time, s");
    command->add_option_function<std::string>("--end", set_key("time.end"), "End of the simulated time, s");
    command->add_option_function<std::string>("--step-length", set_key("time.step"), "Step, s");
    command->add_option_function<std::string>("--seed", set_key("run.seed"), "Seed of all random numbers");
    command->add_option_function<std::string>("--threads", set_key("run.threads"), "Host threads, 0: one per core");
    command->add_flag("--quiet", options->quiet, "No progress and no summary");
    command->add_flag("--lenient", options->lenient, "Warn of unsupported input instead of stopping");
    command->callback([&app, options, &action] {
        (void)app;
        action = [options] { return run(*options); };
    });
}

}  // namespace jamiton
