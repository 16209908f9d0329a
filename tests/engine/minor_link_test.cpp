// Links that have to give way: how one passes them, and what one asks for beyond.
#include <algorithm>

#include "tests/support/catch.hpp"
#include "tests/support/net_builder.hpp"
#include "tests/support/scene.hpp"

using namespace jamiton;

namespace {

// Two roads that cross at junction `at`, the first with the right of way. Their links are 20 m long and meet halfway.
void cross(NetworkDescription& net, const std::string& at, int major_lane, int minor_lane) {
    const auto junction = std::find_if(net.junctions.begin(), net.junctions.end(),
                                       [&](const JunctionDescription& j) { return j.id == at; });
    junction->type = JunctionType::priority;
    junction->incoming_lanes = {major_lane, minor_lane};
    junction->requests = {{"00", "10", false}, {"01", "01", false}};
    for (const ConnectionDescription& c : net.connections) {
        if (c.via_lane < 0) continue;
        auto& shape = net.lanes[static_cast<std::size_t>(c.via_lane)].shape;
        if (c.from_lane == major_lane) shape = {{-10, 0}, {10, 0}};
        if (c.from_lane == minor_lane) shape = {{0, -10}, {0, 10}};
    }
}

// A car's way: edges in and out of one junction.
struct Crossing : Scene {
    int in, out, side_in, side_out;
    Crossing(char state, char side_state) {
        NetBuilder b;
        in = b.edge("in", "a", "j", 200), out = b.edge("out", "j", "b", 200);
        side_in = b.edge("side_in", "c", "j", 200), side_out = b.edge("side_out", "j", "d", 200);
        b.connect(in, 0, out, 0, state, 20);
        b.connect(side_in, 0, side_out, 0, side_state, 20);
        network = b.description();
        if (side_state == 'm')
            cross(network, "j", in, side_in);
        else
            cross(network, "j", side_in, in);
        add_route({in, out});
        add_route({side_in, side_out});
    }
};

VehicleDescription& place(VehicleDescription& v, float position, float speed) {
    v.depart_pos = DepartPos::position;
    v.depart_pos_value = position;
    v.depart_speed_value = speed;
    return v;
}

// How often a driver as bad as can be, who could pass the line in a step without dawdling, ends the step before it.
int hesitations(char state) {
    int count = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        Crossing scene(state, state == 'm' ? 'M' : 'm');
        VehicleType type = Scene::exact_car();
        type.sigma = 1;
        type.max_speed = 3;
        scene.options.seed = seed;
        scene.add_type(type);
        place(scene.add_vehicle(0), 180, 3);
        Simulation s = scene.simulate();
        float to_line = 20, speed = 3;
        bool before = true;
        for (int n = 0; n < 100 && before; ++n) {
            s.step();
            const TrajectoryRows rows = s.trajectories();
            REQUIRE(rows.vehicle.size() == 1);
            before = rows.lane[0] == static_cast<std::uint32_t>(scene.in);
            const bool could = n > 0 && std::min(speed + 2.6f, 3.f) > to_line + 0.1f;
            count += could && before;
            to_line = 200 - rows.position[0];
            speed = rows.speed[0];
        }
        REQUIRE(!before);
    }
    return count;
}

}  // namespace

TEST_CASE("a minor link is passed in the step in which it can be, without dawdling") {
    CHECK(hesitations('m') == 0);
    CHECK(hesitations('M') > 0);
}

namespace {

// A car comes over junction j1 to junction j2, 12 m farther on, where it has the right of way; another one waits there
// at the line. Returns the step in which the latter starts.
int start_at_second_junction(char first_state, bool comes) {
    NetBuilder b;
    const int in = b.edge("in", "a", "j1", 200), between = b.edge("between", "j1", "j2", 12),
              out = b.edge("out", "j2", "b", 200);
    const int top_in = b.edge("top_in", "c", "j1", 200), top_out = b.edge("top_out", "j1", "d", 200);
    const int side_in = b.edge("side_in", "e", "j2", 200), side_out = b.edge("side_out", "j2", "f", 200);
    b.connect(in, 0, between, 0, first_state, 20);
    b.connect(top_in, 0, top_out, 0, first_state == 'm' ? 'M' : 'm', 20);
    b.connect(between, 0, out, 0, 'M', 20);
    b.connect(side_in, 0, side_out, 0, 'm', 20);
    Scene scene;
    scene.network = b.description();
    if (first_state == 'm')
        cross(scene.network, "j1", top_in, in);
    else
        cross(scene.network, "j1", in, top_in);
    cross(scene.network, "j2", between, side_in);
    scene.add_type(Scene::exact_car());
    scene.add_route({in, between, out});
    scene.add_route({side_in, side_out});
    place(scene.add_vehicle(0, 0, 1), 199, 0);
    if (comes) place(scene.add_vehicle(0), 165, 13.89f);
    Simulation s = scene.simulate();
    for (int n = 0; n < 60; ++n) {
        s.step();
        const TrajectoryRows rows = s.trajectories();
        if (rows.lane[0] != static_cast<std::uint32_t>(side_in)) return n;
    }
    return -1;
}

}  // namespace

// SUMO does the same: who may have to wait at the first junction is expected by nobody at the second.
TEST_CASE("nobody asks for a passage beyond a minor link before which it can still stop") {
    const int alone = start_at_second_junction('M', false);
    CHECK(start_at_second_junction('m', true) == alone);
    CHECK(start_at_second_junction('M', true) > alone + 3);
}

namespace {

// A long vehicle has stopped behind the junction, another one inside behind it, so many metres short of its back, which
// stands at 12 m; the ways cross between 8.4 and 11.6 m. Returns the speeds, m/s, of a car with the right of
// way.
std::vector<float> speeds_beside(float gap) {
    Crossing scene('M', 'm');
    for (ConnectionDescription& c : scene.network.connections) c.keep_clear = false;
    for (const auto& [length, min_gap] : {std::pair{5.f, 2.5f}, {9.f, 2.5f}, {5.f, gap}}) {
        VehicleType type = Scene::exact_car();
        type.length = length;
        type.min_gap = min_gap;
        scene.add_type(type);
    }
    const int lane = scene.network.edges[static_cast<std::size_t>(scene.side_out)].first_lane;
    VehicleDescription& leader = place(scene.add_vehicle(0, 1, 1), 195, 0);
    leader.stops.push_back({.lane = lane, .start_pos = 0, .end_pos = 1, .duration = 300, .source = {}});
    place(scene.add_vehicle(0, 2, 1), 170, 0);
    place(scene.add_vehicle(40), 50, 13.89f);
    Simulation s = scene.simulate();
    std::vector<float> speeds;
    for (int n = 0; n < 56; ++n) {
        s.step();
        const TrajectoryRows rows = s.trajectories();
        if (n == 39) {
            REQUIRE(rows.speed[1] == 0);
            REQUIRE(rows.position[1] == Approx(12 - gap).margin(0.3));
        }
        if (rows.vehicle.size() == 3) speeds.push_back(rows.speed[2]);
    }
    return speeds;
}

}  // namespace

// As in SUMO 1.15, row by row: whoever is inside goes first, even if it stands before the conflict and waits for
// others.
TEST_CASE("who stands inside on the way is waited for by whoever has the right of way") {
    for (const float gap : {1.f, 3.f}) {
        const std::vector<float> speeds = speeds_beside(gap);
        CHECK(speeds.front() == 13.89f);
        CHECK(speeds.back() == 0);
        for (std::size_t n = 1; n < speeds.size(); ++n) CHECK(speeds[n - 1] - speeds[n] < 4.6f);  // comfortably
    }
}
