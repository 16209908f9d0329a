// What detectors see, measured beside SUMO 1.15.
#include "tests/support/catch.hpp"
#include "tests/support/net_builder.hpp"
#include "tests/support/one_free_car.hpp"
#include "tests/support/scene.hpp"

using namespace jamiton;

namespace {

DetectorDescription detector(DetectorKind kind, std::vector<DetectorPart> parts, double period = 1) {
    DetectorDescription d;
    d.kind = kind;
    d.id = "d";
    d.parts = std::move(parts);
    d.period = period;
    return d;
}

DetectorRows run(const Scene& scene, int steps) {
    Simulation s = scene.simulate();
    DetectorRows all;
    for (int n = 1; n <= steps; ++n) {
        s.step();
        const DetectorRows rows = s.take_detectors(n, n == steps);
        all.loops.insert(all.loops.end(), rows.loops.begin(), rows.loops.end());
        all.areas.insert(all.areas.end(), rows.areas.begin(), rows.areas.end());
        all.gates.insert(all.gates.end(), rows.gates.begin(), rows.gates.end());
    }
    return all;
}

}  // namespace

TEST_CASE("a loop times a car whose back passes it from the next lane") {
    Scene scene = one_free_car();
    scene.options.measures.detectors = {detector(DetectorKind::loop, {{0, 294, 294}})};
    const std::vector<LoopRow> rows = run(scene, 20).loops;
    REQUIRE(rows.size() == 20);
    CHECK((rows[14].entered == 1 && rows[14].contributed == 0));
    CHECK(rows[14].occupancy == Approx(3.31).margin(0.006));
    CHECK(rows[14].speed == -1);
    CHECK((rows[15].entered == 0 && rows[15].contributed == 1));
    CHECK(rows[15].occupancy == Approx(32.69).margin(0.006));
    CHECK(rows[15].speed == Approx(13.89).margin(0.001));
    CHECK(rows[15].flow == 3600);
    CHECK(rows[15].length == 5);
    CHECK((rows[13].entered == 0 && rows[16].occupancy == 0));
}

TEST_CASE("a loop counts the types that it is asked for") {
    Scene scene = one_free_car();
    DetectorDescription d = detector(DetectorKind::loop, {{0, 294, 294}}, -1);
    d.types = {"lorry"};
    scene.options.measures.detectors = {d};
    const std::vector<LoopRow> rows = run(scene, 20).loops;
    REQUIRE(rows.size() == 1);
    CHECK((rows[0].begin == 0 && rows[0].end == 20 && rows[0].entered == 0));
}

TEST_CASE("an area sees a car from its front to its back") {
    Scene scene = one_free_car();
    scene.options.measures.detectors = {detector(DetectorKind::area, {{0, 150, 250}})};
    const std::vector<AreaRow> rows = run(scene, 20).areas;
    CHECK((rows[4].entered == 1 && rows[7].entered == 0 && rows[7].seen == 1));
    CHECK(rows[7].mean_occupancy == Approx(5));
    CHECK(rows[11].max_occupancy == Approx(2.21).margin(0.006));
    CHECK(rows[12].sampled_seconds == Approx(0.16).margin(0.006));
    CHECK((rows[12].left == 1 && rows[13].seen == 0));
}

TEST_CASE("gates time the way between them") {
    Scene scene = one_free_car();
    scene.options.measures.detectors = {detector(DetectorKind::gates, {{0, 150, 150}, {0, 294, 294, true}})};
    const std::vector<GatesRow> rows = run(scene, 20).gates;
    CHECK((rows[4].vehicles == 0 && rows[4].vehicles_within == 1));
    CHECK(rows[4].duration_within == Approx(1.40).margin(0.006));
    CHECK(rows[4].interval_duration_within == Approx(1));
    CHECK(rows[15].vehicles == 1);
    CHECK(rows[15].travel_time == Approx(10.37).margin(0.006));
    CHECK(rows[15].overlap_travel_time == Approx(10.73).margin(0.006));
    CHECK(rows[15].speed == Approx(13.89).margin(0.01));
    CHECK((rows[15].halts == 0 && rows[15].vehicles_within == 0 && rows[15].speed_within == -1));
}

// The queue before a red light: as measured with a car every 6 s that comes from 500 m away.
TEST_CASE("a jam is made of those who halt close behind each other") {
    Scene scene = one_free_car();
    scene.add_signal(0, {{1000, "r"}});
    scene.demand.vehicles.clear();
    for (int n = 0; n < 4; ++n) scene.add_vehicle(6 * n).depart_speed = DepartSpeed::max;
    scene.options.measures.detectors = {detector(DetectorKind::area, {{0, 200, 296}}, -1)};
    const std::vector<AreaRow> rows = run(scene, 100).areas;
    REQUIRE(rows.size() == 1);
    CHECK((rows[0].entered == 4 && rows[0].left == 0 && rows[0].started_halts == 4 && rows[0].max_jam_vehicles == 4));
    CHECK(rows[0].max_jam_meters == Approx(4 * 5 + 3 * 2.5).margin(0.1));
    CHECK(rows[0].max_halt > 60);
    CHECK(rows[0].halt_sum == rows[0].interval_halt_sum);
}

TEST_CASE("detectors and means are the same for any number of threads") {
    Scene scene = one_free_car();
    scene.demand.vehicles.clear();
    scene.add_type(Scene::default_car());
    for (int n = 0; n < 60; ++n) scene.add_vehicle(2 * n, 1);
    scene.options.measures.detectors = {detector(DetectorKind::loop, {{0, 294, 294}}, 30),
                                        detector(DetectorKind::area, {{0, 150, 250}}, 30),
                                        detector(DetectorKind::gates, {{0, 150, 150}, {1, 50, 50, true}}, 30)};
    const DetectorRows one = run(scene, 200);
    scene.options.threads = 4;
    const DetectorRows four = run(scene, 200);
    REQUIRE((one.loops.size() == 7 && one.areas.size() == 7 && one.gates.size() == 7));
    for (std::size_t n = 0; n < 7; ++n) {
        CHECK(one.loops[n].occupancy == four.loops[n].occupancy);
        CHECK(one.areas[n].sampled_seconds == four.areas[n].sampled_seconds);
        CHECK(one.areas[n].jam_meters_sum == four.areas[n].jam_meters_sum);
        CHECK(one.gates[n].travel_time == four.gates[n].travel_time);
        CHECK(one.gates[n].speed_within == four.gates[n].speed_within);
    }
}
