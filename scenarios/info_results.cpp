#include "scenarios/info_results.hpp"

#include <fmt/format.h>

#include "data/results_reader.hpp"
#include "data/superblock.hpp"

namespace jamiton {
namespace {

void line(const std::string& name, const std::string& value) { fmt::print("{:16} {}\n", name, value); }

void print_attributes(const ResultsReader& results) {
    for (const auto& [name, value] : results.attributes()) {
        if (name == "scenario")
            line(name, fmt::format("{} characters of text", value.size()));
        else if (name != "format" && name != "finished" && name != "failed")
            line(name, value);
    }
}

void print_network(const ResultsReader& results) {
    line("network", fmt::format("{} edges, {} lanes, {} junctions, {} signals", results.ids("/network/edges/id").size(),
                                results.ids("/network/lanes/id").size(), results.ids("/network/junctions/id").size(),
                                results.ids("/network/signals/id").size()));
}

void print_run(const ResultsReader& results) {
    const std::vector<StepSummary> steps = results.summary();
    line("summary", fmt::format("{} steps", steps.size()));
    if (!steps.empty()) {
        const StepSummary& last = steps.back();
        line("at the end",
             fmt::format("time {:g} s: {} loaded, {} not due, {} waiting, {} running, {} arrived, {} removed",
                         last.time, last.loaded, last.not_due, last.waiting, last.running, last.arrived, last.removed));
    }
    line("trajectories", fmt::format("{} steps, {} rows", results.trajectory_steps(), results.trajectory_rows()));
    line("edges", fmt::format("{} intervals", results.interval_begins().size()));
    line("signals", fmt::format("{} switches", results.signal_switches().size()));
}

void print_trips(const ResultsReader& results) {
    const TripMeans means = mean_trips(results.trips());
    line("trips",
         fmt::format("{} vehicles, {} arrived, {} running, {} removed, {} teleports", results.ids("/trips/id").size(),
                     means.arrived, means.running, means.removed, means.teleports));
    if (means.arrived == 0) return;
    line("mean of arrived",
         fmt::format("duration {:.2f} s, route length {:.1f} m, time loss {:.2f} s, waiting time {:.2f} s, "
                     "departure delay {:.2f} s",
                     means.duration, means.route_length, means.time_loss, means.waiting_time, means.depart_delay));
}

void print_phases(const ResultsReader& results) {
    for (const PhaseCost& phase : results.phases())
        line("cost of " + phase.name, fmt::format("{:.3f} s", phase.seconds));
}

}  // namespace

bool is_results_file(const std::string& path) { return read_mark(path) != Hdf5Mark::not_hdf5; }

void print_results_info(const std::string& path) {
    const ResultsReader results(path);
    line("results file", path);
    line("state", name_of(results.state()));
    print_attributes(results);
    print_network(results);
    print_run(results);
    print_trips(results);
    print_phases(results);
}

}  // namespace jamiton
