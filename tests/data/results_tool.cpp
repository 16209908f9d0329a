// Hidden cases that results_test.py runs in processes of their own: names begin with "tool", the file's name is in the
// environment.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <random>
#include <thread>

#include "tests/data/results_sample.hpp"
#include "tests/support/catch.hpp"

namespace jamiton {
namespace {

std::string setting(const char* name, const char* otherwise) {
    const char* value = std::getenv(name);
    return value ? value : otherwise;
}
int number(const char* name, int otherwise) { return std::stoi(setting(name, std::to_string(otherwise).c_str())); }
std::string file() { return setting("RESULT", "result.h5"); }

void write_step(ResultsWriter& writer, int step, int vehicles, int edges) {
    writer.append(sample::rows(step, vehicles, edges));
    writer.append(sample::summary(step, vehicles));
    if (step % 10 == 9) writer.append(sample::interval(step / 10, edges));
    if (step % 30 == 0) {
        const int phase = step / 30 % 2;
        writer.append(SignalSwitch{static_cast<double>(step), 0, phase, "day", phase == 0 ? "GGrr" : "rrGG"});
    }
    if (writer.trips_due()) writer.write_trips(sample::trips(step, vehicles));
}

// Vehicles that drive over lanes of 200 m at changing speeds, as many on the road at each step.
std::vector<TrajectoryRows> drive(int vehicles, int steps, std::uint32_t lanes) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> unit(0, 1);
    const auto any_lane = [&] { return static_cast<std::uint32_t>(random() % lanes); };
    TrajectoryRows now;
    for (int v = 0; v < vehicles; ++v) {
        now.vehicle.push_back(static_cast<std::uint32_t>(v * 3) + static_cast<std::uint32_t>(random() % 3));
        now.lane.push_back(any_lane());
        now.position.push_back(200 * unit(random));
        now.speed.push_back(15 * unit(random));
    }
    std::vector<TrajectoryRows> steps_of(static_cast<std::size_t>(steps));
    for (TrajectoryRows& step : steps_of) {
        for (std::size_t v = 0; v < now.vehicle.size(); ++v) {
            const float speed = now.speed[v] + 2 * unit(random) - 1;
            now.speed[v] = unit(random) < 0.3f ? 0 : std::min(std::max(speed, 0.0f), 15.0f);
            now.position[v] += now.speed[v];
            if (now.position[v] < 200) continue;
            now.position[v] -= 200;
            now.lane[v] = any_lane();
        }
        step = now;
    }
    return steps_of;
}

}  // namespace

TEST_CASE("tool sample: a finished file", "[.tool]") {
    const int steps = number("STEPS", 40), vehicles = number("VEHICLES", 60), edges = number("EDGES", 7);
    ResultsWriter writer(file(), sample::run_info(), sample::network(edges), sample::vehicles(vehicles));
    for (int step = 0; step < steps; ++step) write_step(writer, step, vehicles, edges);
    writer.write_trips(sample::trips(steps, vehicles));
    writer.set_performance({{"plan", 1.5, 1000, 40}, {"move", 0.5, 500, 40}});
    const StepSummary last = sample::summary(steps - 1, vehicles);
    writer.finish({.end = last.time, .state_hash = last.state_hash});
}

TEST_CASE("tool endless: writes until killed and prints a line now and then", "[.tool]") {
    const int vehicles = number("VEHICLES", 5000);
    std::signal(SIGXFSZ, SIG_IGN);
    try {
        ResultsWriter writer(file(), sample::run_info(), sample::network(7), sample::vehicles(vehicles),
                             {.flush_interval = std::stod(setting("FLUSH", "0.2"))});
        for (int step = 0;; ++step) {
            write_step(writer, step, vehicles, 7);
            if (step % 50 == 49) std::cout << "step " << step << std::endl;
            std::this_thread::sleep_for(std::chrono::microseconds(number("PAUSE", 4000)));
        }
    } catch (const InputError& error) {
        std::cout << "error: " << error.what() << std::endl;
    }
}

TEST_CASE("tool rows: how fast trajectories are written", "[.tool]") {
    const int vehicles = number("VEHICLES", 27'000), steps = number("STEPS", 300), lanes = 30'000;
    std::vector<TrajectoryRows> prepared = drive(vehicles, steps, lanes);
    OutputSettings settings;
    settings.compression = number("COMPRESSION", 1);
    ResultsWriter writer(file(), sample::run_info(), sample::network(lanes), sample::vehicles(3 * vehicles), settings);
    const auto start = std::chrono::steady_clock::now();
    for (TrajectoryRows& step : prepared) writer.append(std::move(step));
    writer.finish({});
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::cout << 1e-6 * vehicles * steps / seconds << " million rows/s\n";
}

TEST_CASE("tool trips: how fast a large table of trips is written", "[.tool]") {
    const int vehicles = number("VEHICLES", 1'000'000);
    const VehicleList list = sample::vehicles(vehicles);
    const TripTable trips = sample::trips(vehicles / 2, vehicles);
    const auto seconds_since = [](auto start) {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    const auto start = std::chrono::steady_clock::now();
    ResultsWriter writer(file(), sample::run_info(), sample::network(7), list);
    std::cout << "header " << seconds_since(start) << " s\n";
    const auto opened = std::chrono::steady_clock::now();
    writer.write_trips(trips);
    writer.finish({});
    std::cout << "trips " << seconds_since(opened) << " s\n";
}

}  // namespace jamiton
