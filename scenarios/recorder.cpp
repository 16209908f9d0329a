#include "scenarios/recorder.hpp"

#include <algorithm>
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
    : settings_(scenario.output),
      step_(scenario.step),
      edges_{.origin = scenario.begin, .period = settings_.edges_every, .begin = scenario.begin},
      lanes_{.origin = scenario.begin, .period = settings_.lanes_every, .begin = scenario.begin} {
    if (settings_.file.empty()) return;
    const MeasureDescription& measures = simulation.measures();
    for (const MeanDataDescription& d : measures.mean_data) {
        const double begin = std::max(d.begin, scenario.begin);
        mean_data_.push_back({begin, d.period > 0 ? d.period : 1e12, d.end, begin});
    }
    writer_ = std::make_unique<ResultsWriter>(settings_.file, run_info(scenario, command, network), network,
                                              vehicle_list(simulation.demand()), output_settings(settings_), measures);
}

void Recorder::record(Simulation& simulation) {
    if (!writer_) return;
    const auto start = std::chrono::steady_clock::now();
    const auto every = std::llround(settings_.trajectories_every / step_);  // steps
    if (every > 0 && (simulation.steps() - 1) % every == 0) writer_->append(simulation.trajectories());
    if (settings_.signals) {
        for (SignalSwitch& change : simulation.signal_switches()) writer_->append(std::move(change));
    }
    record_means(simulation, false);
    if (simulation.measures_detectors()) writer_->append(simulation.take_detectors(simulation.time() + step_, false));
    if (settings_.summary) writer_->append(simulation.summary());
    if (settings_.trips && writer_->trips_due()) writer_->write_trips(simulation.trips());
    recorded_ = simulation.time();
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

bool Recorder::MeansClock::ends(double now, bool last) const {
    if (period <= 0 || now <= begin + 1e-6) return false;
    const double planned = std::min(end, origin + static_cast<double>(intervals + 1) * period);
    return last || now >= planned - 1e-6;
}

void Recorder::MeansClock::advance(double now) {
    begin = now;
    intervals = std::llround(std::floor((now - origin + 1e-6) / period));
    if (now >= end - 1e-6) period = 0;
}

void Recorder::record_means(Simulation& simulation, bool last) {
    const double now = simulation.time() + step_;
    if (edges_.ends(now, last)) {
        writer_->append(simulation.take_edges(edges_.begin, now));
        edges_.advance(now);
    }
    if (lanes_.ends(now, last)) {
        writer_->append_lanes(simulation.take_lanes(lanes_.begin, now));
        lanes_.advance(now);
    }
    for (std::size_t n = 0; n < mean_data_.size(); ++n) {
        MeansClock& clock = mean_data_[n];
        const bool begins = clock.origin > now - step_ + 1e-6 && now >= clock.origin - 1e-6;
        if (begins || clock.ends(now, last)) {
            EdgeInterval interval = simulation.take_mean_data(n, clock.begin, now);
            if (begins) continue;  // what was before its begin
            writer_->append_mean_data(n, std::move(interval));
            clock.advance(now);
        }
    }
}

void Recorder::finish(Simulation& simulation, bool complete, std::vector<PhaseCost> phases) {
    if (!writer_) return;
    const double end = simulation.time() + step_;
    record_means(simulation, true);
    if (simulation.measures_detectors()) writer_->append(simulation.take_detectors(end, true));
    if (settings_.trips) writer_->write_trips(simulation.trips());
    for (PhaseCost& cost : simulation.performance()) phases.push_back(std::move(cost));
    phases.push_back({.name = "record", .seconds = seconds_});
    writer_->set_performance(std::move(phases));
    const StepSummary& last = simulation.summary();
    writer_->finish({.end = end,
                     .state_hash = last.state_hash,
                     .collisions = last.collisions,
                     .ending = complete ? Ending::finished : Ending::interrupted});
}

void Recorder::give_up() {
    if (!writer_ || !writer_->fail()) return;
    log_warning(settings_.file, " holds the run up to ", recorded_, " s, with the trips as they last were written");
}

}  // namespace jamiton
