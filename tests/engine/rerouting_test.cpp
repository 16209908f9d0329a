// Routes that are found in the run, by the travel times measured there.
#include <algorithm>

#include "tests/support/catch.hpp"
#include "tests/support/net_builder.hpp"
#include "tests/support/scene.hpp"

using namespace jamiton;

namespace {

// From `in` to `out` over the short or the long way; the long one takes half as long again in free flow.
struct TwoWays : Scene {
    int in, short_way, long_way, out;

    TwoWays() {
        NetBuilder b;
        in = b.edge("in", "a", "b", 200, 10);
        short_way = b.edge("short", "b", "c", 1000, 10);
        long_way = b.edge("long", "b", "c", 1500, 10);
        out = b.edge("out", "c", "d", 200, 10, 2);
        b.connect_all(in, short_way);
        b.connect_all(in, long_way);
        b.connect(short_way, 0, out, 0);
        b.connect(long_way, 0, out, 1);
        network = b.description();
        add_type(exact_car());
    }

    void add_trip(double depart) { add_vehicle(depart, 0, -1).via = {in, out}; }

    // Stands from the start of the run on.
    void block(int edge, float position, double seconds) {
        VehicleDescription& v = add_vehicle(0, 0, add_route({edge, out}));
        if (edge == in) v.route = add_route({in, short_way, out});
        v.depart_pos = DepartPos::stop;
        StopDescription stop;
        stop.lane = edge;  // `out` alone has two lanes, and is the last
        stop.start_pos = position - 5;
        stop.end_pos = position;
        stop.duration = seconds;
        v.stops = {stop};
    }

    static bool takes(const Simulation& s, std::size_t vehicle, int edge) {
        const Demand& d = s.demand();
        const Trip& trip = d.trips[vehicle];
        for (std::uint32_t at = trip.route_begin; at < trip.route_begin + trip.route_length; ++at)
            if (d.stretch(at).edge == edge) return true;
        return false;
    }

    // Does a trip that departs then take the long way?
    bool goes_round(double depart) {
        demand.vehicles.resize(1);
        add_trip(depart);
        Simulation s = simulate();
        for (int n = 0; n <= static_cast<int>(depart); ++n) s.step();
        return takes(s, 1, long_way);
    }
};

}  // namespace

// After n steps in which everything stands the mean speed of N measurements is v (N - n) / N: the way takes half as
// long again from n = N / 3 on.
TEST_CASE("a blocked road is avoided when its mean speed has sunk enough") {
    TwoWays scene;
    scene.block(scene.short_way, 500, 1000);
    CHECK_FALSE(scene.goes_round(59));
    CHECK(scene.goes_round(62));
    scene.routing.adaptation_steps = 30;
    CHECK_FALSE(scene.goes_round(9));
    CHECK(scene.goes_round(12));
    scene.routing.adaptation_interval = 3;
    CHECK_FALSE(scene.goes_round(27));
    CHECK(scene.goes_round(34));
    scene.routing.adaptation_interval = 0;  // free flow
    CHECK_FALSE(scene.goes_round(300));
}

// v (1 - w)^0 w^n: below two thirds after n = 4 for w = 0.9.
TEST_CASE("an average by weight forgets by and by") {
    TwoWays scene;
    scene.block(scene.short_way, 500, 1000);
    scene.routing.adaptation_steps = 0;
    scene.routing.adaptation_weight = 0.9;
    CHECK_FALSE(scene.goes_round(3));
    CHECK(scene.goes_round(4));
}

TEST_CASE("a vehicle that waits for entry is routed again") {
    TwoWays scene;
    scene.block(scene.short_way, 500, 1000);
    scene.block(scene.in, 6, 120);
    scene.add_trip(10);
    const auto route_after = [&](double pre_period) {
        scene.routing.pre_period = pre_period;
        Simulation s = scene.simulate();
        for (int n = 0; n < 110; ++n) s.step();
        REQUIRE(s.summary().waiting == 1);
        return TwoWays::takes(s, 2, scene.long_way);
    };
    CHECK_FALSE(route_after(0));
    CHECK(route_after(60));  // at 70 s
    CHECK_FALSE(route_after(120));
}

TEST_CASE("a stop of a trip lies on its way") {
    TwoWays scene;
    scene.add_trip(0);
    StopDescription stop;
    stop.lane = scene.long_way;
    stop.start_pos = 95;
    stop.end_pos = 100;
    stop.duration = 10;
    scene.demand.vehicles[0].stops = {stop};
    Simulation s = scene.simulate();
    while (!s.everybody_left()) s.step();
    CHECK(TwoWays::takes(s, 0, scene.long_way));
    CHECK(s.trips().stop_time[0] == 10);
}

// SUMO 1.15 replaces the routes of these at 7 s (a trip, each period) and at 3 s (a route with the device, at
// departure).
TEST_CASE("vehicles are routed again under way") {
    TwoWays scene;
    scene.block(scene.short_way, 300, 2000);
    scene.add_trip(0);
    scene.add_vehicle(3, 0, scene.add_route({scene.in, scene.short_way, scene.out}));
    scene.routing.adaptation_steps = 5;
    scene.routing.period = 7;
    const auto steps_to_change = [&](std::size_t vehicle) {
        Simulation s = scene.simulate();
        int steps = 0;
        while (steps < 20 && !TwoWays::takes(s, vehicle, scene.long_way)) s.step(), ++steps;
        return steps - 1;  // label of the last step
    };
    CHECK(steps_to_change(1) == 7);
    CHECK(steps_to_change(2) == 19);  // never
    scene.demand.vehicles[2].rerouting.present = 1;
    CHECK(steps_to_change(2) == 3);
    scene.demand.vehicles[2].rerouting.present = -1;
    scene.routing.probability = 1;
    CHECK(steps_to_change(2) == 3);
    scene.demand.types[0].rerouting.present = 0;
    CHECK(steps_to_change(2) == 19);
    scene.routing.vehicles = {"v2"};
    scene.demand.types[0].rerouting = {};
    scene.routing.probability = 0;
    CHECK(steps_to_change(2) == 3);
    scene.routing.synchronize = true;
    scene.routing.period = 10;
    CHECK(steps_to_change(1) == 10);
    scene.demand.types[0].rerouting.period = 4;
    CHECK(steps_to_change(1) == 4);
}

TEST_CASE("who can no longer stop before the junction goes on as it was, and stops stay") {
    TwoWays scene;
    scene.block(scene.short_way, 900, 3000);
    scene.add_trip(0);  // at 191 m after 20 s
    StopDescription stop;
    stop.lane = scene.in;
    stop.start_pos = 150;
    stop.end_pos = 160;
    stop.duration = 3;
    scene.routing.adaptation_steps = 1;
    scene.routing.period = 21;
    Simulation late = scene.simulate();
    for (int n = 0; n < 100; ++n) late.step();
    CHECK_FALSE(TwoWays::takes(late, 1, scene.long_way));
    scene.demand.vehicles[1].stops = {stop};
    Simulation stopped = scene.simulate();
    for (int n = 0; n < 300; ++n) stopped.step();
    CHECK(TwoWays::takes(stopped, 1, scene.long_way));
    CHECK(stopped.trips().stop_time[1] == 3);
    CHECK(stopped.trips().status[1] == TripStatus::arrived);
    CHECK(stopped.summary().collisions == 0);
}

// The signal lets a third of them through, so that the short way fills up and the others go round.
TEST_CASE("a jam divides the traffic, the same for 1 and 2 and 4 threads") {
    TwoWays scene;
    scene.add_signal(scene.short_way, {{10, "G"}, {50, "r"}});
    for (int n = 0; n < 300; ++n) scene.add_trip(2 * n);
    scene.routing.period = 30;
    std::vector<Simulation> all;
    all.reserve(4);
    for (const int threads : {1, 2, 4}) {
        scene.options.threads = threads;
        all.push_back(scene.simulate());
    }
    scene.routing.adaptation_interval = 0;
    all.push_back(scene.simulate());
    for (int n = 0; n < 1000; ++n) {
        for (Simulation& s : all) s.step();
        REQUIRE(all[1].summary().state_hash == all[0].summary().state_hash);
        REQUIRE(all[2].summary().state_hash == all[0].summary().state_hash);
    }
    const auto round = [&](const Simulation& s) {
        int count = 0;
        for (std::size_t v = 0; v < 300; ++v) count += TwoWays::takes(s, v, scene.long_way);
        return count;
    };
    CHECK(round(all[0]) > 100);
    CHECK(round(all[0]) < 250);
    CHECK(round(all[3]) == 0);
    const TripTable trips = all[0].trips();
    CHECK(std::all_of(trips.reroutes.begin(), trips.reroutes.end(), [](auto n) { return n >= 1; }));
}
