// The same bits for any number of threads, and in every step: each vehicle in one state, nobody in another.
#include <filesystem>

#include "data/generate_scenario.hpp"
#include "scenarios/scenario.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/net_builder.hpp"
#include "tests/support/scene.hpp"

using namespace jamiton;

namespace {

bool same(const std::vector<double>& a, const std::vector<double>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](double x, double y) { return x == y || (x != x && y != y); });
}
bool same(const std::vector<float>& a, const std::vector<float>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](float x, float y) { return x == y || (x != x && y != y); });
}

void check_equal(const TripTable& a, const TripTable& b) {
    CHECK(same(a.depart, b.depart));
    CHECK(same(a.arrival, b.arrival));
    CHECK(same(a.time_loss, b.time_loss));
    CHECK(same(a.waiting_time, b.waiting_time));
    CHECK(same(a.route_length, b.route_length));
    CHECK(same(a.arrival_speed, b.arrival_speed));
    CHECK(a.depart_lane == b.depart_lane);
    CHECK(a.arrival_lane == b.arrival_lane);
    CHECK(a.waiting_count == b.waiting_count);
    CHECK(a.status == b.status);
}

void check_equal(const EdgeInterval& a, const EdgeInterval& b) {
    CHECK(a.entered == b.entered);
    CHECK(a.left == b.left);
    CHECK(a.departed == b.departed);
    CHECK(a.lane_changed_to == b.lane_changed_to);
    CHECK(same(a.sampled_seconds, b.sampled_seconds));
    CHECK(same(a.time_loss, b.time_loss));
    CHECK(same(a.mean_speed, b.mean_speed));
    CHECK(same(a.occupancy, b.occupancy));
    CHECK(same(a.waiting_time, b.waiting_time));
}

// Steps all together and holds them against the first. Returns the most vehicles at once.
std::int64_t run_together(std::vector<Simulation>& all, int steps, bool collisions_allowed = false) {
    std::int64_t most = 0;
    for (int n = 0; n < steps; ++n) {
        for (Simulation& s : all) {
            s.step();
            s.check_conservation();
            const StepSummary& sum = s.summary();
            INFO("step " << n << " of simulation " << &s - all.data());
            REQUIRE(sum.loaded == sum.not_due + sum.waiting + sum.running + sum.arrived + sum.removed);
            REQUIRE(sum.inserted == sum.running + sum.arrived);
            if (!collisions_allowed) REQUIRE(sum.collisions == 0);
            REQUIRE(sum.state_hash == all[0].summary().state_hash);
        }
        most = std::max(most, all[0].summary().running);
    }
    for (std::size_t k = 1; k < all.size(); ++k) {
        INFO("simulation " << k);
        check_equal(all[0].trips(), all[k].trips());
        const double end = all[0].time() + 1;
        if (k + 1 == all.size()) check_equal(all[0].take_edges(0, end), all[k].take_edges(0, end));
    }
    return most;
}

std::vector<Simulation> with_threads(const Scene& scene, const std::vector<int>& threads) {
    std::vector<Simulation> all;
    all.reserve(threads.size());
    for (const int n : threads) {
        SimulationOptions o = scene.options;
        o.threads = n;
        all.push_back(scene.simulate(o));
    }
    return all;
}

Scene scene_of(GeneratedScenario generated) {
    Scene scene;
    scene.network = std::move(generated.network);
    scene.demand = std::move(generated.demand);
    return scene;
}

// Roads of three lanes that become two, some with a slow truck ahead: all vehicles of the right lane have to change.
Scene lane_drops(int roads) {
    NetBuilder net;
    std::vector<std::pair<int, int>> edges;
    for (int r = 0; r < roads; ++r) {
        const std::string name = std::to_string(r);
        edges.emplace_back(net.edge("wide" + name, "a" + name, "b" + name, 500, 25, 3),
                           net.edge("narrow" + name, "b" + name, "c" + name, 300, 22, 2));
    }
    for (const auto& [wide, narrow] : edges) {
        net.connect(wide, 1, narrow, 0);
        net.connect(wide, 2, narrow, 1);
    }
    Scene scene;
    scene.network = net.description();
    const int car = scene.add_type(Scene::default_car());
    VehicleType slow = default_vehicle_type(VehicleClass::truck);
    slow.id = "truck";
    const int truck = scene.add_type(slow);
    for (const auto& [wide, narrow] : edges) {
        const int route = scene.add_route({wide, narrow});
        for (int n = 0; n < 200; ++n) {
            VehicleDescription& v = scene.add_vehicle(n, n % 7 == 3 ? truck : car, route);
            v.depart_lane = DepartLane::index;
            v.depart_lane_index = n % 3;
            v.depart_speed = DepartSpeed::max;
        }
    }
    return scene;
}

}  // namespace

// More than 2048 vehicles at once, or loops stay on fewer threads.
TEST_CASE("a grid with signals is the same for 1 and 2 and 4 threads") {
    const Scene scene = scene_of(generate_grid({.size = 12, .signals = true, .demand = {.rate = 45000, .end = 300}}));
    std::vector<Simulation> all = with_threads(scene, {1, 2, 4});
    CHECK(run_together(all, 400) > 2048);
}

TEST_CASE("minor roads into a priority street are the same for 1 and 2 and 4 threads") {
    const Scene scene = scene_of(generate_corridor({.junctions = 60, .demand = {.rate = 40000, .end = 300}}));
    std::vector<Simulation> all = with_threads(scene, {1, 2, 4});
    CHECK(run_together(all, 400) > 2048);
}

TEST_CASE("right before left is the same for 1 and 2 and 4 threads") {
    const Scene scene = scene_of(generate_grid({.size = 12, .lanes = 1, .demand = {.rate = 30000, .end = 300}}));
    std::vector<Simulation> all = with_threads(scene, {1, 2, 4});
    CHECK(run_together(all, 400) > 1024);
}

TEST_CASE("lanes that end are the same for 1 and 2 and 4 threads") {
    std::vector<Simulation> all = with_threads(lane_drops(60), {1, 2, 4});
    CHECK(run_together(all, 400) > 2048);
}

TEST_CASE("equal runs have equal hashes and another seed has others") {
    Scene scene = scene_of(generate_grid({.size = 3, .signals = true, .demand = {.rate = 3000, .end = 200}}));
    std::vector<Simulation> all = with_threads(scene, {1, 1});
    ++scene.options.seed;
    Simulation other = scene.simulate();
    int compared = 0, equal = 0;
    for (int n = 0; n < 100; ++n) {
        other.step();
        for (Simulation& s : all) s.step();
        REQUIRE(all[0].summary().state_hash == all[1].summary().state_hash);
        if (all[0].summary().running == 0) continue;
        ++compared;
        equal += all[0].summary().state_hash == other.summary().state_hash;
    }
    CHECK(compared > 50);
    CHECK(equal < 10);  // those who have only just entered stand where the other seed's do
}

TEST_CASE("edge statistics do not change the run") {
    Scene scene = scene_of(generate_grid({.size = 3, .signals = true, .demand = {.rate = 3000, .end = 200}}));
    Simulation with = scene.simulate();
    scene.options.edge_statistics = false;
    Simulation without = scene.simulate();
    for (int n = 0; n < 100; ++n) {
        with.step();
        without.step();
        REQUIRE(with.summary().state_hash == without.summary().state_hash);
    }
}

// --- Shared scenarios ----------------------------------------------------------------------------------------------

TEST_CASE("real scenarios are the same for 1 and 2 threads over 600 steps") {
    const std::string shared = "../shared/scenarios/";
    if (!std::filesystem::exists(shared)) SKIP("no shared data");
    for (const char* file :
         {"resco-cologne1/cologne1.sumocfg", "resco-cologne8/cologne8.sumocfg", "resco-ingolstadt7/ingolstadt7.sumocfg",
          "resco-grid4x4/grid4x4.sumocfg", "rilsa-example1/run.sumo.cfg",
          "libsignal-hangzhou4x4-sumo/hangzhou_4x4_gudang_18041610_1h.sumocfg"}) {
        INFO(file);
        UnsupportedReport report(true);
        const Scenario scenario = load_scenario(shared + file, {}, report);
        ScenarioInput input = read_inputs(scenario, report);
        Scene scene;
        scene.network = std::move(input.network);
        scene.demand = std::move(input.demand);
        scene.options.begin = scenario.begin;
        scene.options.step = scenario.step;
        scene.end = scenario.end < 0 ? scenario.begin + 3600 : scenario.end;
        std::vector<Simulation> all = with_threads(scene, {1, 2});
        CHECK(run_together(all, 600) > 0);
    }
}
