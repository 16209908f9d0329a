// Elements beside the road: speed signs, vaporizers, calibrated edges; scales and free places.
#include <algorithm>

#include "tests/support/catch.hpp"
#include "tests/support/net_builder.hpp"
#include "tests/support/scene.hpp"

using namespace jamiton;

namespace {

// Three edges of one lane, 300 m each.
struct Road : Scene {
    int e, f, g;
    Road() {
        NetBuilder net;
        e = net.edge("e", "a", "b", 300, 13.89f);
        f = net.edge("f", "b", "c", 300, 13.89f);
        g = net.edge("g", "c", "d", 300, 13.89f);
        net.connect(e, 0, f, 0, 'M', 0.1f);
        net.connect(f, 0, g, 0, 'M', 0.1f);
        network = net.description();
        add_type(exact_car());
        add_route({e, f, g});
    }
    TripTable run(int steps) const {
        Simulation s = simulate();
        for (int n = 0; n < steps; ++n) s.step();
        s.check_conservation();
        return s.trips();
    }
};

}  // namespace

TEST_CASE("a speed sign holds from its time on until the lane's own limit does again") {
    Road road;
    for (int n = 0; n < 3; ++n) road.add_vehicle(n * 100.0);
    road.demand.speed_changes = {{100, road.f, 5}, {200, road.f, -1}};
    const TripTable trips = road.run(400);
    CHECK(trips.duration[0] == trips.duration[2]);
    CHECK(trips.duration[1] == Approx(static_cast<double>(trips.duration[0]) + 300 / 5.0 - 300 / 13.89).margin(4));
}

// As in SUMO 1.15: 13.89, 9.39, 5 m/s.
TEST_CASE("a limit that comes down is reached by comfortable braking") {
    Road road;
    road.add_vehicle(0).depart_speed = DepartSpeed::max;
    road.demand.speed_changes = {{10, road.e, 5}};
    Simulation s = road.simulate();
    for (int n = 0; n < 11; ++n) s.step();
    CHECK(s.trajectories().speed[0] == Approx(9.39).margin(0.001));
    s.step();
    CHECK(s.trajectories().speed[0] == 5);
}

TEST_CASE("a speed sign may allow more than the lane") {
    Road road;
    road.add_vehicle(0);
    const float plain = road.run(300).duration[0];
    road.demand.speed_changes = {{0, road.e, 40}, {0, road.f, 40}, {0, road.g, 40}};
    CHECK(road.run(300).duration[0] < plain - 20);
}

TEST_CASE("a vaporizer takes off who enters its edge in its time") {
    Road road;
    for (int n = 0; n < 3; ++n) road.add_vehicle(n * 50.0);
    VehicleDescription& late = road.add_vehicle(60);
    late.depart_edge = 1;
    road.demand.entry_rules = {{.edge = road.f, .begin = 50, .end = 100}};
    const TripTable trips = road.run(300);
    CHECK(trips.status[0] == TripStatus::arrived);
    CHECK(trips.status[1] == TripStatus::removed);
    CHECK(trips.reason[1] == RemovalReason::vaporized);
    CHECK(trips.status[2] == TripStatus::removed);  // departs on the edge itself
    CHECK(trips.status[3] == TripStatus::arrived);
}

TEST_CASE("vehicles become of the type that a calibrated edge asks for") {
    Road road;
    VehicleType slow = Scene::exact_car();
    slow.id = "slow";
    slow.max_speed = 6;
    road.add_type(slow);
    road.add_vehicle(0);
    road.add_vehicle(100);
    road.demand.entry_rules = {{.edge = road.f, .begin = 0, .end = 60, .type = 1}};
    const TripTable trips = road.run(400);
    CHECK(trips.duration[0] > trips.duration[1] + 40);
}

TEST_CASE("the scale of a type multiplies its vehicles and flows") {
    Road road;
    road.demand.types[0].scale = 2;
    road.add_vehicle(0);
    FlowDescription flow;
    flow.vehicle.id = "f";
    flow.vehicle.type = flow.vehicle.route = 0;
    flow.kind = FlowKind::number;
    flow.number = 3;
    flow.begin = 0;
    flow.end = 90;
    road.demand.flows = {flow};
    CHECK(road.run(300).status.size() == 8);
    road.demand.types[0].scale = 0;
    CHECK(road.run(300).status.empty());
}

TEST_CASE("trips of vehicles that record nothing are not counted") {
    Road road;
    for (int n = 0; n < 200; ++n) road.add_vehicle(n);
    road.demand.vehicles[0].recorded = 1;
    road.demand.vehicles[1].recorded = 0;
    DemandOptions options;
    options.end = 1000;
    const auto recorded = [&] {
        Network net = build_network(road.network);
        return build_demand(road.demand, road.network, net, options).recorded;
    };
    const auto count = [](const std::vector<bool>& r) { return std::count(r.begin(), r.end(), true); };
    CHECK(count(recorded()) == 199);
    options.record.vehicles.push_back(road.demand.vehicles[5].id);
    CHECK(count(recorded()) == 2);
    options.record.vehicles.clear();
    options.record.probability = 0.5;
    const std::vector<bool> half = recorded();
    CHECK(half[0]);
    CHECK(!half[1]);
    CHECK(count(half) > 80);
    CHECK(count(half) < 120);
    const TripTable trips = road.run(600);
    CHECK(trips.status[0] == TripStatus::arrived);
    CHECK(trips.status[1] == TripStatus::unrecorded);
}

// Positions as in SUMO 1.15.
TEST_CASE("who enters late may start as far on as it would have come") {
    Road road;
    VehicleDescription& v = road.add_vehicle(0.3);
    v.depart_speed_value = 10;
    VehicleDescription& placed = road.add_vehicle(1.3);
    placed.depart_speed_value = 10;
    placed.depart_pos = DepartPos::position;
    placed.depart_pos_value = 100;
    Network net = build_network(road.network);
    Demand demand = build_demand(road.demand, road.network, net, {.end = 100, .extrapolate_depart_pos = true});
    Simulation s(road.network, std::move(net), std::move(demand), road.options);
    for (int n = 0; n < 3; ++n) s.step();
    CHECK(s.trips().depart_pos[0] == Approx(12.1).margin(0.001));
    CHECK(s.trips().depart_pos[1] == Approx(107).margin(0.001));
}

TEST_CASE("edges of departure and arrival may be random") {
    Road road;
    for (int n = 0; n < 40; ++n) {
        VehicleDescription& v = road.add_vehicle(n * 60);
        v.depart_edge = v.arrival_edge = random_edge;
    }
    const TripTable trips = road.run(3000);
    int from[3] = {}, to[3] = {};
    for (std::size_t v = 0; v < 40; ++v) {
        ++from[trips.depart_lane[v]];
        ++to[trips.arrival_lane[v]];
        CHECK(trips.depart_lane[v] <= trips.arrival_lane[v]);
    }
    for (int n = 0; n < 3; ++n) {
        CHECK(from[n] > 3);
        CHECK(to[n] > 0);
    }
}

// Positions as in SUMO 1.15.
TEST_CASE("a free place is the start of the lane or the first gap") {
    Road road;
    road.network.lanes[0].length = 900;
    for (double depart : {0.0, 1.0}) road.add_vehicle(depart).depart_pos = DepartPos::free;
    VehicleDescription& fast = road.add_vehicle(2);
    fast.depart_pos = DepartPos::free;
    fast.depart_speed = DepartSpeed::max;
    const TripTable trips = road.run(100);
    CHECK(trips.depart_pos[0] == 0);
    CHECK(trips.depart_pos[1] == Approx(12.8).margin(0.01));
    CHECK(trips.depart_pos[2] == Approx(25.6).margin(0.01));
}
