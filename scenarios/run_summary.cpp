#include "scenarios/run_summary.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>

namespace jamiton {
namespace {

void line(const char* name, const std::string& value) { fmt::print("{:12} {}\n", name, value); }

std::string mean_trip(const TripTable& trips) {
    double n = 0, duration = 0, loss = 0, waiting = 0;
    for (std::size_t v = 0; v < trips.status.size(); ++v) {
        if (trips.status[v] != TripStatus::arrived) continue;
        n += 1;
        duration += static_cast<double>(trips.duration[v]);
        loss += static_cast<double>(trips.time_loss[v]);
        waiting += static_cast<double>(trips.waiting_time[v]);
    }
    if (n == 0) return "none arrived";
    return fmt::format("duration {:.2f} s, time loss {:.2f} s, waiting {:.2f} s", duration / n, loss / n, waiting / n);
}

std::string memory(const Simulation& simulation) {
    constexpr double mega = 1e6;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);  // its ru_maxrss is in units of 1024 bytes
    return fmt::format("{:.1f} MB for vehicles on the road, {:.1f} MB for all loaded, {:.1f} MB for the network, {:.0f} MB at most "
                       "for the whole program",
                       static_cast<double>(simulation.running_bytes()) / mega,
                       static_cast<double>(simulation.loaded_bytes()) / mega,
                       static_cast<double>(simulation.network_bytes()) / mega,
                       static_cast<double>(usage.ru_maxrss) * 1024 / mega);
}

}  // namespace

void print_run_summary(const Simulation& simulation, double simulated, bool complete, const RunCosts& costs,
                       const std::string& results) {
    const StepSummary& s = simulation.summary();
    const double wall = std::max(costs.running, 1e-9);
    line("simulated", fmt::format("{:.10g} s{}", simulated, complete ? "" : " (interrupted)"));
    line("vehicles", fmt::format("{} loaded, {} entered, {} arrived, {} running, {} waiting, {} not due, {} removed",
                                 s.loaded, s.inserted, s.arrived, s.running, s.waiting, s.not_due, s.removed));
    line("mean trip", mean_trip(simulation.trips()));
    line("incidents", fmt::format("{} teleports, {} collisions", s.teleports, s.collisions));
    line("loading", fmt::format("{:.2f} s wall", costs.loading));
    line("running", fmt::format("{:.2f} s wall, {:.0f} vehicle-steps per second, {:.1f} x real time", costs.running,
                                static_cast<double>(simulation.vehicle_steps()) / wall, simulated / wall));
    line("memory", memory(simulation));
    line("results", results.empty() ? "none written" : results);
}

}  // namespace jamiton
