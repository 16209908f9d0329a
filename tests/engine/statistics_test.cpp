// What a run says of itself against what its trajectories show.
#include <cmath>
#include <map>

#include "data/generate_scenario.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/net_builder.hpp"
#include "tests/support/one_free_car.hpp"
#include "tests/support/scene.hpp"

using namespace jamiton;

namespace {

Scene small_grid() {
    GeneratedScenario generated = generate_grid({.size = 3, .signals = true, .demand = {.rate = 3600, .end = 300}});
    Scene scene;
    scene.network = std::move(generated.network);
    scene.demand = std::move(generated.demand);
    return scene;
}

}  // namespace

TEST_CASE("sums per edge agree with the trajectories") {
    Scene scene = small_grid();
    Simulation s = scene.simulate();
    const std::size_t edges = scene.network.edges.size();
    std::vector<std::int64_t> inside(edges, 0);
    for (int interval = 0; interval < 4; ++interval) {
        std::vector<std::int64_t> now(edges, 0);
        for (int n = 0; n < 100; ++n) {
            s.step();
            const TrajectoryRows rows = s.trajectories();
            std::fill(now.begin(), now.end(), 0);
            for (std::size_t r = 0; r < rows.vehicle.size(); ++r)
                ++now[static_cast<std::size_t>(scene.network.lanes[rows.lane[r]].edge)];
        }
        const EdgeInterval sums = s.take_edges(100 * interval, 100 * (interval + 1));
        for (std::size_t e = 0; e < edges; ++e) {
            INFO("interval " << interval << " edge " << scene.network.edges[e].id);
            inside[e] += std::int64_t{sums.entered[e]} + sums.departed[e] - sums.left[e] - sums.arrived[e];
            CHECK(inside[e] == now[e]);
            CHECK(sums.waiting_time[e] <= sums.sampled_seconds[e]);
            if (sums.sampled_seconds[e] == 0) CHECK(std::isnan(sums.mean_speed[e]));
        }
    }
}

// Measured beside SUMO 1.15: a car of 5 m, 100 m behind the start of the first edge, at 13.89 m/s all the way.
TEST_CASE("one free trip fills the sums of its edges as measured") {
    const Scene scene = one_free_car();
    const int ab = 0, bc = 1;
    Simulation s = scene.simulate();
    for (int n = 0; n < 60; ++n) s.step();
    const EdgeInterval sums = s.take_edges(0, 60);
    const auto at = [](int edge) { return static_cast<std::size_t>(edge); };
    CHECK(sums.sampled_seconds[at(ab)] == Approx(14.47).margin(0.006));
    CHECK(sums.sampled_seconds[at(bc)] == Approx(21.44).margin(0.006));
    CHECK(sums.sampled_seconds[2] == Approx(1.21).margin(0.006));
    CHECK(sums.travel_time[at(ab)] == Approx(21.31).margin(0.006));
    CHECK(sums.overlap_travel_time[at(ab)] == Approx(21.67).margin(0.006));
    CHECK(sums.density[at(bc)] == Approx(1.22).margin(0.006));
    CHECK(sums.occupancy[at(ab)] == Approx(0.40).margin(0.006));
    CHECK(sums.occupancy[2] == Approx(0.60).margin(0.006));
    CHECK(sums.speed_relative[at(ab)] == Approx(1).margin(0.001));
    CHECK(sums.time_loss[at(bc)] == Approx(0).margin(0.01));
    CHECK((sums.departed[at(ab)] == 1 && sums.entered[at(ab)] == 0 && sums.left[at(ab)] == 1));
    CHECK((sums.arrived[at(bc)] == 1 && sums.entered[at(bc)] == 1 && sums.left[at(bc)] == 0));
}

TEST_CASE("the summary of a step agrees with its trajectories and trips") {
    Simulation s = small_grid().simulate();
    for (int n = 0; n < 400; ++n) {
        s.step();
        const TrajectoryRows rows = s.trajectories();
        const StepSummary& sum = s.summary();
        double speed = 0;
        std::int64_t halted = 0;
        for (const float v : rows.speed) {
            speed += static_cast<double>(v);
            halted += v <= 0.1f;
        }
        REQUIRE(sum.time == n);
        REQUIRE(sum.running == static_cast<std::int64_t>(rows.vehicle.size()));
        REQUIRE(sum.halted == halted);
        if (sum.running > 0) REQUIRE(sum.mean_speed == Approx(speed / static_cast<double>(sum.running)).margin(0.001));
        REQUIRE(std::is_sorted(rows.vehicle.begin(), rows.vehicle.end()));
    }
    const TripTable trips = s.trips();
    std::map<TripStatus, std::int64_t> count;
    for (const TripStatus status : trips.status) ++count[status];
    CHECK(count[TripStatus::running] == s.summary().running);
    CHECK(count[TripStatus::arrived] == s.summary().arrived);
    CHECK(count[TripStatus::waiting] == s.summary().waiting);
}

TEST_CASE("times of a trip add up") {
    Simulation s = small_grid().simulate();
    while (!s.everybody_left() && s.steps() < 3000) s.step();
    REQUIRE(s.everybody_left());
    const TripTable t = s.trips();
    for (std::size_t i = 0; i < t.depart.size(); ++i) {
        INFO("trip " << i);
        CHECK(static_cast<double>(t.duration[i]) == t.arrival[i] - t.depart[i]);
        CHECK(static_cast<double>(t.depart_delay[i]) == Approx(t.depart[i] - t.depart_planned[i]).margin(1e-3));
        CHECK(t.depart[i] >= t.depart_planned[i]);
        CHECK(t.waiting_time[i] <= t.duration[i]);
        CHECK(t.time_loss[i] <= t.duration[i]);
        CHECK(t.time_loss[i] >= t.waiting_time[i] - 0.01f);
        CHECK(t.route_length[i] > 200);
    }
}

// semantics.md 1, 2 and 4: labels, arrival, time loss from rest.
TEST_CASE("one free trip comes out as measured") {
    NetBuilder net;
    const int ab = net.edge("ab", "a", "b", 2000.1f, 14.11f);
    Scene scene;
    scene.network = net.description();
    scene.add_type(Scene::exact_car());
    scene.add_route({ab});
    scene.add_vehicle(5.3);
    Simulation s = scene.simulate();
    const std::vector<float> from_rest{0, 2.6f, 5.2f, 7.8f, 10.4f, 13.0f, 14.11f, 14.11f};
    for (double x = 5.1; !s.everybody_left();) {
        s.step();
        const TrajectoryRows rows = s.trajectories();
        if (s.time() < 6)
            CHECK(rows.vehicle.empty());
        else if (s.time() < 14) {
            const float v = from_rest[static_cast<std::size_t>(s.time() - 6)];
            x += static_cast<double>(v);
            REQUIRE(rows.speed.size() == 1);
            CHECK(rows.speed[0] == Approx(v).margin(1e-4));
            CHECK(static_cast<double>(rows.position[0]) == Approx(x).margin(1e-3));
        }
    }
    const TripTable t = s.trips();
    CHECK(t.depart[0] == 6);
    CHECK(static_cast<double>(t.depart_delay[0]) == Approx(0.7).margin(1e-3));
    CHECK(static_cast<double>(t.route_length[0]) == Approx(1995.0).margin(0.01));
    CHECK(static_cast<double>(t.time_loss[0]) == Approx(2.235).margin(0.01));
    CHECK(static_cast<double>(t.arrival_pos[0]) == Approx(2000.1).margin(0.01));
    CHECK(t.waiting_time[0] == 0);
}

TEST_CASE("half steps and ballistic steps start as measured") {
    NetBuilder net;
    const int ab = net.edge("ab", "a", "b", 500);
    Scene scene;
    scene.network = net.description();
    scene.add_type(Scene::exact_car());
    scene.add_route({ab});
    scene.add_vehicle(0);
    scene.options.step = 0.5;
    Simulation half = scene.simulate();
    for (const float v : {0.f, 1.3f, 2.6f, 3.9f, 5.2f}) {
        half.step();
        CHECK(half.trajectories().speed[0] == Approx(v).margin(1e-5));
    }
    scene.options.step = 1;
    scene.options.ballistic = true;
    Simulation ballistic = scene.simulate();
    for (const float x : {5.1f, 6.4f, 10.3f, 16.8f}) {
        ballistic.step();
        CHECK(ballistic.trajectories().position[0] == Approx(x).margin(1e-4));
    }
}
