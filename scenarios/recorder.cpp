#include "scenarios/recorder.hpp"

#include <chrono>
#include <cmath>

#include "engine/core/log.hpp"

namespace jamiton {
namespace {

RunInfo run_info(const Scenario& scenario, const std::string& command, const NetworkDescription& network) {
    return {.program_version = JAMITON_VERSION,
            .command = command,
            .scenario = scenario.text,
            .seed = scenario.seed,
            .step = scenario.step,
            .begin = scenario.begin,
            .projection = network.projection};
}

VehicleList vehicle_list(const Demand& demand) {
    VehicleList list;
    list.id = demand.ids;
    list.type.reserve(demand.trips.size());
    for (const Trip& trip : demand.trips) list.type.push_back(trip.type);
    for (const VehicleType& type : demand.types) list.type_names.push_back(type.id);
    return list;
}

OutputSettings output_settings(const ScenarioOutput& output) {
    return {.trips = output.trips,
            .flush_interval = output.flush_interval,
            .compression = output.compression,
            .precision = output.precision};
}

}  // namespace

Recorder::Recorder(const Scenario& scenario, const std::string& command, const NetworkDescription& network,
                   const Simulation& simulation)
    : settings_(scenario.output), begin_(scenario.begin), step_(scenario.step), interval_begin_(scenario.begin) {
    if (settings_.file.empty()) return;
    writer_ = std::make_unique<ResultsWriter>(settings_.file, run_info(scenario, command, network), network,
                                              vehicle_list(simulation.demand()), output_settings(settings_));
}

void Recorder::record(Simulation& simulation) {
    if (!writer_) return;
    const auto start = std::chrono::steady_clock::now();
    const auto every = std::llround(settings_.trajectories_every / step_);  // steps
    if (every > 0 && (simulation.steps() - 1) % every == 0) writer_->append(simulation.trajectories());
    if (settings_.signals) {
        for (SignalSwitch& change : simulation.signal_switches()) writer_->append(std::move(change));
    }
    if (settings_.edges_every > 0) record_edges(simulation);
    if (settings_.summary) writer_->append(simulation.summary());
    if (settings_.trips && writer_->trips_due()) writer_->write_trips(simulation.trips());
    recorded_ = simulation.time();
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// An interval that is no multiple of the step ends with the step that its end falls into.
void Recorder::record_edges(Simulation& simulation) {
    const double planned = begin_ + static_cast<double>(intervals_ + 1) * settings_.edges_every;
    if (simulation.time() + step_ >= planned - 1e-6) end_interval(simulation);
}

void Recorder::end_interval(Simulation& simulation) {
    const double end = simulation.time() + step_;
    writer_->append(simulation.take_edges(interval_begin_, end));
    interval_begin_ = end;
    intervals_ = std::llround(std::floor((end - begin_ + 1e-6) / settings_.edges_every));
}

void Recorder::finish(Simulation& simulation, bool complete, std::vector<PhaseCost> phases) {
    if (!writer_) return;
    const double end = simulation.time() + step_;
    if (settings_.edges_every > 0 && end > interval_begin_ + 1e-6) end_interval(simulation);
    if (settings_.trips) writer_->write_trips(simulation.trips());
    for (PhaseCost& cost : simulation.performance()) phases.push_back(std::move(cost));
    phases.push_back({.name = "record", .seconds = seconds_});
    writer_->set_performance(std::move(phases));
    const StepSummary& last = simulation.summary();
    writer_->finish({.end = end, .state_hash = last.state_hash, .collisions = last.collisions, .finished = complete});
}

void Recorder::give_up() {
    if (!writer_) return;
    writer_.reset();
    log_warning(settings_.file, " holds the run up to ", recorded_, " s, with the trips as they last were written");
}

}  // namespace jamiton
