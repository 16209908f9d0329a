#include "scenarios/progress.hpp"

#include <unistd.h>

#include <cmath>
#include <cstdio>

#include <fmt/format.h>

namespace jamiton {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); }

}  // namespace

Progress::Progress(double begin, double end, double step, bool quiet)
    : begin_(begin), end_(end), step_(step), quiet_(quiet), terminal_(isatty(STDERR_FILENO) == 1), start_(std::chrono::steady_clock::now()), shown_(start_) {}

void Progress::update(const StepSummary& summary) {
    if (quiet_) return;
    const double interval = terminal_ ? 0.2 : 10;              // s of wall time
    if (seconds_since(shown_) < interval) return;
    shown_ = std::chrono::steady_clock::now();
    show(summary);
}

void Progress::show(const StepSummary& s) {
    const double wall = seconds_since(start_), simulated = s.time + step_ - begin_, factor = simulated / std::max(wall, 1e-9);
    std::string line = fmt::format("{:.0f} s  running {}  waiting {}  arrived {}  {:.1f} x real time", s.time, s.running, s.waiting, s.arrived, factor);
    if (end_ >= 0) {
        const double share = std::min(1.0, simulated / std::max(end_ - begin_, step_));
        line += fmt::format("  {:.0f} s left", wall / std::max(share, 1e-9) * (1 - share));
        if (terminal_) {
            const int filled = static_cast<int>(share * 20);
            line = fmt::format("[{:#<{}}{:.<{}}] {:3.0f} %  ", "", filled, "", 20 - filled, share * 100) + line;
        }
    }
    if (terminal_) fmt::print(stderr, "\r\033[K{}", line);
    else fmt::print(stderr, "jamiton: {}\n", line);
    std::fflush(stderr);
}

void Progress::finish(const Simulation& simulation, const std::string& results, bool interrupted) {
    if (quiet_) return;
    if (terminal_) fmt::print(stderr, "\r\033[K");
    const StepSummary& s = simulation.summary();
    const double wall = seconds_since(start_);
    double duration = 0, loss = 0, waiting = 0;
    const TripTable trips = simulation.trips();
    for (std::size_t v = 0; v < trips.status.size(); ++v) {
        if (trips.status[v] != TripStatus::arrived) continue;
        duration += static_cast<double>(trips.duration[v]);
        loss += static_cast<double>(trips.time_loss[v]);
        waiting += static_cast<double>(trips.waiting_time[v]);
    }
    const double n = std::max<double>(1, static_cast<double>(s.arrived));
    fmt::print("{:16} {:.0f} s{}\n", "simulated", s.time + step_ - begin_, interrupted ? " (interrupted)" : "");
    fmt::print("{:16} {} loaded, {} entered, {} arrived, {} running, {} waiting, {} not due, {} removed\n", "vehicles", s.loaded, s.inserted, s.arrived, s.running, s.waiting, s.not_due, s.removed);
    fmt::print("{:16} duration {:.2f} s, time loss {:.2f} s, waiting {:.2f} s\n", "mean trip", duration / n, loss / n, waiting / n);
    fmt::print("{:16} {} teleports, {} collisions\n", "incidents", s.teleports, s.collisions);
    fmt::print("{:16} {:.2f} s wall, {:.0f} vehicle-steps per second, {:.1f} x real time\n", "speed", wall, static_cast<double>(simulation.vehicle_steps()) / std::max(wall, 1e-9),
               (s.time + step_ - begin_) / std::max(wall, 1e-9));
    fmt::print("{:16} {:.1f} MB for vehicles, {:.1f} MB for the network\n", "memory", static_cast<double>(simulation.vehicle_bytes()) / 1e6, static_cast<double>(simulation.network_bytes()) / 1e6);
    if (!results.empty()) fmt::print("{:16} {}\n", "results", results);
}

}  // namespace jamiton
