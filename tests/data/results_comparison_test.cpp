#include "data/results_comparison.hpp"

#include "data/results.hpp"
#include "tests/data/results_sample.hpp"
#include "tests/data/results_scratch.hpp"
#include "tests/support/catch.hpp"

namespace jamiton {
namespace {

// What one run does differently from the other.
struct Change {
    RunInfo run = sample::run_info();
    int steps = 20;
    std::uint32_t vehicle_in_other_lane = 1000;
    bool slower_trip = false;
    double seconds = 1;
    OutputSettings settings;
};

std::string write(const std::string& path, const Change& change) {
    ResultsWriter writer(path, change.run, sample::network(7), sample::vehicles(60), change.settings);
    for (int step = 0; step < change.steps; ++step) {
        TrajectoryRows rows = sample::rows(step, 60, 7);
        if (step >= 12 && change.vehicle_in_other_lane < 60) rows.lane[change.vehicle_in_other_lane] = 0;
        writer.append(std::move(rows));
        writer.append(sample::summary(step, 60));
    }
    TripTable trips = sample::trips(55, 60);
    if (change.slower_trip) trips.duration[3] += 6;
    writer.write_trips(trips);
    writer.set_performance({{"plan", change.seconds, 0, 0}});
    writer.finish({});
    return path;
}

std::vector<std::string> differences(const Change& first, const Change& second) {
    const sample::Scratch scratch;
    const Comparison comparison =
        compare_results(ResultsReader(write(scratch / "a.h5", first)), ResultsReader(write(scratch / "b.h5", second)));
    std::vector<std::string> lines;
    for (const Difference& d : comparison.differences) {
        lines.push_back(d.what + ": " + d.first + " | " + d.second + (d.count.empty() ? "" : " (" + d.count + ")"));
    }
    return lines;
}

}  // namespace

using Lines = std::vector<std::string>;

TEST_CASE("comparison: how a run was started and what it cost is no difference") {
    Change other;
    other.run.command = "another";
    other.run.program_version = "9";
    other.seconds = 2;
    other.settings.compression = 0;
    other.settings.flush_interval = 0;
    CHECK(differences({}, other) == Lines{});
}

TEST_CASE("comparison: attributes") {
    Change other;
    other.run.seed = 43;
    CHECK(differences({}, other) == Lines{"attribute seed: 42 | 43"});
}

TEST_CASE("comparison: the first differing row of trajectories is named") {
    Change other;
    other.vehicle_in_other_lane = 5;
    CHECK(differences({}, other) == Lines{"/trajectories, time 12, vehicle vehicle-5: Straße_1_0 at 20.355 m, 13.67 m/s"
                                          " | Straße_0_0 at 20.355 m, 13.67 m/s (first)"});
}

TEST_CASE("comparison: trips and their means") {
    const sample::Scratch scratch;
    const Comparison comparison =
        compare_results(ResultsReader(write(scratch / "a.h5", {})),
                        ResultsReader(write(scratch / "b.h5", {.slower_trip = true, .settings = {}})));
    REQUIRE(comparison.differences.size() == 1);
    CHECK(comparison.differences[0].what == "/trips/duration, vehicle vehicle-3");
    CHECK(comparison.differences[0].count == "1 of 60");
    const auto duration = std::find_if(comparison.means.begin(), comparison.means.end(),
                                       [](const MeanDifference& mean) { return mean.what == "duration"; });
    REQUIRE(duration != comparison.means.end());
    CHECK(duration->first == 50);
    CHECK(duration->second == 51);
}

TEST_CASE("comparison: a shorter run") {
    Change other;
    other.steps = 15;
    const Lines lines = differences({}, other);
    CHECK(std::find(lines.begin(), lines.end(), "/trajectories: 20 steps | 15 steps") != lines.end());
    CHECK(std::find(lines.begin(), lines.end(), "/summary/time: 20 rows | 15 rows") != lines.end());
}

}  // namespace jamiton
