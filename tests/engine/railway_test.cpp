// Level crossings close for trains, railway signals keep them apart. Times are SUMO's on the same tracks.
#include <algorithm>

#include "tests/support/catch.hpp"
#include "tests/support/net_builder.hpp"
#include "tests/support/scene.hpp"

using namespace jamiton;

namespace {

VehicleType train(float max_speed = 1000) {
    VehicleType type = default_vehicle_type(VehicleClass::rail);
    type.id = "train";
    type.sigma = 0;
    type.speed_factor.deviation = 0;
    type.max_speed = std::min(type.max_speed, max_speed);
    return type;
}

// Puts the connections from an edge under the signal of the junction it leads to, which has no program.
void add_railway_signal(NetworkDescription& net, int edge, JunctionType type) {
    const int junction = net.edges[edge].to;
    net.junctions[junction].type = type;
    int link = 0;
    for (ConnectionDescription& c : net.connections) {
        if (net.lanes[c.from_lane].edge != edge) continue;
        c.signal = static_cast<int>(net.signals.size());
        c.link_index = link++;
    }
    net.signals.push_back({net.junctions[junction].id, {}});
}

std::string story(Simulation& s, int steps) {
    std::string text;
    for (int n = 0; n < steps; ++n) {
        s.step();
        for (const SignalSwitch& change : s.signal_switches())
            text += std::to_string(static_cast<int>(change.time)) + change.state + " ";
    }
    return text;
}

// A track over a road; the track is link -1 of the signal: trains always go.
Scene crossing(float train_speed, const std::vector<double>& departs) {
    Scene scene;
    NetBuilder net;
    const int west = net.edge("west", "w", "x", 1495.3f, 40), east = net.edge("east", "x", "e", 1495.3f, 40);
    const int north = net.edge("north", "n", "x", 290), south = net.edge("south", "x", "s", 290);
    net.connect(west, 0, east, 0, 'M', 6.2f);
    net.connect(north, 0, south, 0, 'o', 8);
    scene.network = net.description();
    for (LaneDescription& lane : scene.network.lanes) lane.speed = std::max(lane.speed, lane.length == 6.2f ? 40 : 0.f);
    add_railway_signal(scene.network, north, JunctionType::rail_crossing);
    scene.add_type(train(train_speed));
    scene.add_type(Scene::exact_car());
    scene.add_route({west, east});
    scene.add_route({north, south});
    for (const double depart : departs) {
        VehicleDescription& v = scene.add_vehicle(depart);
        v.depart_speed = DepartSpeed::max;
        v.depart_pos = DepartPos::position;
        v.depart_pos_value = 0;
    }
    return scene;
}

// How many vehicles each lane holds, and that two trains never share one of these lanes.
bool ever_together(Simulation& s, const std::vector<std::uint32_t>& lanes, int steps) {
    bool together = false;
    for (int n = 0; n < steps; ++n) {
        s.step();
        int inside = 0;
        for (const std::uint32_t lane : s.trajectories().lane) inside += std::ranges::count(lanes, lane) > 0 ? 1 : 0;
        together = together || inside > 1;
    }
    return together;
}

}  // namespace

TEST_CASE("a level crossing closes 20 s before a train and opens after it") {
    Simulation fast = crossing(40, {10}).simulate();
    CHECK(story(fast, 60) == "0G 28y 33r 53u 56G ");
    Simulation slow = crossing(20, {10}).simulate();
    CHECK(story(slow, 100) == "0G 65y 70r 94u 97G ");
}

TEST_CASE("a level crossing stays closed between trains that follow closely") {
    Simulation s = crossing(40, {10, 30}).simulate();
    const std::string text = story(s, 90);
    CHECK(text.starts_with("0G 28y 33r 7"));
    CHECK(text.find("u ") == text.rfind("u "));
}

TEST_CASE("a car waits at a closed crossing and passes it when it opens") {
    Scene scene = crossing(40, {10});
    scene.add_vehicle(20, 1, 1);
    Simulation s = scene.simulate();
    for (int n = 0; n < 120; ++n) s.step();
    const TripTable trips = s.trips();
    CHECK(trips.waiting_time[1] > 5);
    CHECK(trips.arrival[1] > 56);
    CHECK(trips.status[1] == TripStatus::arrived);
}

TEST_CASE("a train waits until the block before it is free") {
    Scene scene;
    NetBuilder net;
    const int a = net.edge("a", "n0", "s1", 800, 30), b = net.edge("b", "s1", "s2", 1500, 30),
              c = net.edge("c", "s2", "n3", 1500, 30);
    net.connect(a, 0, b, 0);
    net.connect(b, 0, c, 0);
    scene.network = net.description();
    add_railway_signal(scene.network, a, JunctionType::rail_signal);
    add_railway_signal(scene.network, b, JunctionType::rail_signal);
    scene.add_type(train());
    scene.add_route({a, b, c});
    for (const double depart : {0., 5.}) scene.add_vehicle(depart);
    Simulation s = scene.simulate();
    const auto block = static_cast<std::uint32_t>(scene.network.edges[b].first_lane);
    CHECK_FALSE(ever_together(s, {block}, 700));
    CHECK(s.summary().arrived == 2);
    CHECK(s.summary().collisions == 0);
}

TEST_CASE("of two trains for one track one goes first, and both arrive") {
    Scene scene;
    NetBuilder net;
    const int a = net.edge("a", "n0", "s1", 800, 30), b = net.edge("b", "n1", "s2", 800, 30);
    const int a2 = net.edge("a2", "s1", "join", 50, 30), b2 = net.edge("b2", "s2", "join", 50, 30);
    const int c = net.edge("c", "join", "n3", 1500, 30);
    net.connect(a, 0, a2, 0);
    net.connect(b, 0, b2, 0);
    net.connect(a2, 0, c, 0);
    net.connect(b2, 0, c, 0);
    scene.network = net.description();
    add_railway_signal(scene.network, a, JunctionType::rail_signal);
    add_railway_signal(scene.network, b, JunctionType::rail_signal);
    scene.add_type(train());
    scene.add_route({a, a2, c});
    scene.add_route({b, b2, c});
    scene.add_vehicle(0, 0, 1);
    scene.add_vehicle(0, 0, 0);
    Simulation s = scene.simulate();
    std::vector<std::uint32_t> shared;
    for (const int edge : {a2, b2, c})
        shared.push_back(static_cast<std::uint32_t>(scene.network.edges[edge].first_lane));
    CHECK_FALSE(ever_together(s, shared, 700));
    CHECK(s.summary().arrived == 2);
}

TEST_CASE("trains that meet on a single track enter it one after the other") {
    Scene scene;
    NetBuilder net;
    const int in_west = net.edge("iw", "n0", "w", 800, 30), in_east = net.edge("ie", "n1", "e", 800, 30);
    const int there = net.edge("there", "w", "e2", 1000, 30), back = net.edge("back", "e", "w2", 1000, 30);
    const int out_east = net.edge("oe", "e2", "n2", 800, 30), out_west = net.edge("ow", "w2", "n3", 800, 30);
    net.lane(there, 0).shape = {{0, 0}, {500, 10}, {1000, 0}};
    net.lane(back, 0).shape = {{1000, 0}, {500, 10}, {0, 0}};
    net.connect(in_west, 0, there, 0);
    net.connect(in_east, 0, back, 0);
    net.connect(there, 0, out_east, 0);
    net.connect(back, 0, out_west, 0);
    scene.network = net.description();
    add_railway_signal(scene.network, in_west, JunctionType::rail_signal);
    add_railway_signal(scene.network, in_east, JunctionType::rail_signal);
    scene.add_type(train());
    scene.add_route({in_west, there, out_east});
    scene.add_route({in_east, back, out_west});
    scene.add_vehicle(0, 0, 0);
    scene.add_vehicle(0, 0, 1);
    Simulation s = scene.simulate();
    std::vector<std::uint32_t> track;
    for (const int edge : {there, back})
        track.push_back(static_cast<std::uint32_t>(scene.network.edges[edge].first_lane));
    CHECK_FALSE(ever_together(s, track, 700));
    CHECK(s.summary().arrived == 2);
}
