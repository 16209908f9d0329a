// Trips between zones: they begin and end on the edges of the fastest way, chosen when they depart (as in SUMO 1.15).
#include "tests/support/catch.hpp"
#include "tests/support/net_builder.hpp"
#include "tests/support/scene.hpp"

using namespace jamiton;

namespace {

// Two edges lead to a middle one, two away from it: zone 0 holds the former, zone 1 the latter.
struct Zones : Scene {
    int near, far, middle, slow, fast;
    explicit Zones(float far_length = 330, float fast_speed = 30) {
        NetBuilder net;
        near = net.edge("near", "a", "m", 300);
        far = net.edge("far", "b", "m", far_length);
        middle = net.edge("middle", "m", "n", 500, 13.89f, 2);
        slow = net.edge("slow", "n", "c", 300, 13.89f, 2);
        fast = net.edge("fast", "n", "d", 400, fast_speed, 2);
        net.connect(near, 0, middle, 0, 'M', 0.1f);
        net.connect(far, 0, middle, 1, 'M', 0.1f);
        for (int to : {slow, fast})
            for (int k : {0, 1}) net.connect(middle, k, to, k, 'M', 0.1f);
        network = net.description();
        add_type(exact_car());
        demand.zones = {{"A", {far, near}, {}}, {"B", {}, {slow, fast}}};
    }
    void add_trip(double depart) {
        const int edges = static_cast<int>(network.edges.size());
        add_vehicle(depart, 0, -1).via = {begin_in(0, edges), end_in(1, edges)};
    }
    // Edges where the trips have departed and arrived.
    std::pair<std::vector<int>, std::vector<int>> run(int steps) const {
        Simulation s = simulate();
        for (int n = 0; n < steps; ++n) s.step();
        s.check_conservation();
        std::pair<std::vector<int>, std::vector<int>> ends;
        const TripTable trips = s.trips();
        for (std::size_t v = 0; v < trips.status.size(); ++v) {
            REQUIRE(trips.status[v] == TripStatus::arrived);
            ends.first.push_back(s.network().lanes[trips.depart_lane[v]].edge);
            ends.second.push_back(s.network().lanes[trips.arrival_lane[v]].edge);
        }
        return ends;
    }
};

using Edges = std::vector<int>;

}  // namespace

TEST_CASE("a trip between zones takes the fastest of their edges, which count from end to end") {
    for (const double interval : {0.0, 1.0}) {
        Zones scene;
        scene.routing.adaptation_interval = interval;
        scene.add_trip(0);
        CHECK(scene.run(150) == std::pair(Edges{scene.near}, Edges{scene.fast}));
    }
    Zones scene(250, 15);  // 400 m at 15 m/s take longer than 300 m at 13.89 m/s
    scene.add_trip(0);
    CHECK(scene.run(150) == std::pair(Edges{scene.far}, Edges{scene.slow}));
}

TEST_CASE("edges that the class may not use are none of the zone's") {
    Zones scene;
    scene.network.lanes[static_cast<std::size_t>(scene.near)].allowed = permission(VehicleClass::bus);
    scene.add_trip(0);
    CHECK(scene.run(150).first == Edges{scene.far});
}

// Beside the 21.6 s of the near edge the far one takes 23.8 s; at 5 m/s the near one takes 60 s.
TEST_CASE("the edge where a trip begins is chosen when it departs, by the travel times measured") {
    Zones scene;
    scene.demand.speed_changes = {{10, scene.near, 5}, {400, scene.near, -1}};
    for (const double depart : {0, 300, 900}) scene.add_trip(depart);
    CHECK(scene.run(1000).first == Edges{scene.near, scene.far, scene.near});
    scene.routing.adaptation_interval = 0;
    CHECK(scene.run(1000).first == Edges{scene.near, scene.near, scene.near});
}

TEST_CASE("trips of a zone that wait for entry choose again") {
    Zones scene;
    scene.demand.speed_changes = {{10, scene.near, 3}};
    for (int n = 0; n < 120; ++n) scene.add_trip(0);
    const Edges begun = scene.run(1500).first;
    CHECK(begun.front() == scene.near);
    CHECK(begun.back() == scene.far);
}

TEST_CASE("on its way a trip keeps the edge of the zone that it has chosen") {
    Zones scene;
    scene.routing.period = 5;
    scene.demand.speed_changes = {{10, scene.fast, 3}};
    scene.add_trip(0);
    CHECK(scene.run(400).second == Edges{scene.fast});
}

TEST_CASE("zones that no way joins give one message") {
    Zones scene;
    scene.demand.zones[0].sources = {scene.slow};
    scene.demand.zones[1].sinks = {scene.near};
    scene.add_trip(0);
    CHECK_THROWS_WITH(scene.simulate(),
                      Catch::Contains("finds no way from zone \"A\" to zone \"B\" for class passenger"));
}
