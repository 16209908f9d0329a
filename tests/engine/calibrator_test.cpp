// Calibrated edges: who is taken off, who is added, and when (times within 3 s of SUMO 1.15's).
#include "tests/support/catch.hpp"
#include "tests/support/net_builder.hpp"
#include "tests/support/scene.hpp"

using namespace jamiton;

namespace {

// Edges e and f, the second calibrated.
struct Calibrated : Scene {
    int e, f;
    explicit Calibrated(int lanes = 1) {
        NetBuilder net;
        e = net.edge("e", "a", "b", 500, 13.89f, lanes);
        f = net.edge("f", "b", "c", 1000, 13.89f, lanes);
        for (int k = 0; k < lanes; ++k) net.connect(e, k, f, k, 'M', 0.1f);
        network = net.description();
        add_type(exact_car());
        add_route({e, f});
    }
    CalibrationDescription& calibrate(double vehicles_per_hour, double from = 0, double until = 600) {
        CalibrationDescription c{
            .edge = f, .begin = from, .end = until, .rate = vehicles_per_hour / 3600, .vehicle = {}};
        c.vehicle.id = "c" + std::to_string(demand.calibrations.size());
        c.vehicle.type = c.vehicle.route = 0;
        c.vehicle.depart_lane = DepartLane::free;
        c.vehicle.depart_speed = DepartSpeed::max;
        c.vehicle.depart_on = f;
        demand.calibrations.push_back(c);
        return demand.calibrations.back();
    }
    void add_flow(double period) {
        FlowDescription flow;
        flow.vehicle.id = "x";
        flow.vehicle.type = flow.vehicle.route = 0;
        flow.vehicle.depart_speed = DepartSpeed::max;
        flow.kind = FlowKind::period;
        flow.period = period;
        flow.end = 600;
        demand.flows = {flow};
    }
};

struct Outcome {
    TripTable trips;
    std::vector<double> added;  // times
    int passed = 0, removed = 0;
    std::uint64_t hash = 0;
};

// Two minutes longer than the interval, for all to arrive.
Outcome run(Calibrated& scene, int steps = 720, int threads = 1) {
    scene.options.threads = threads;
    Simulation s = scene.simulate();
    for (int n = 0; n < steps; ++n) s.step();
    s.check_conservation();
    Outcome out{.trips = s.trips(), .added = {}, .hash = s.summary().state_hash};
    for (std::size_t v = 0; v < out.trips.status.size(); ++v) {
        if (out.trips.status[v] == TripStatus::removed) ++out.removed;
        if (out.trips.status[v] == TripStatus::arrived) ++out.passed;
        if (s.demand().trips[v].depart_step == Trip::on_call && out.trips.depart[v] >= 0)
            out.added.push_back(out.trips.depart[v]);
    }
    return out;
}

}  // namespace

// 360 per hour are 60 in 600 s; at one per 3 s it is early enough to begin when 0.1 t > (600 - t) / 3 - 60: at 324 s.
TEST_CASE("a calibrator adds vehicles on an empty road when they could not be made up for later") {
    Calibrated scene;
    scene.calibrate(360);
    const Outcome out = run(scene);
    CHECK(out.added.size() == 60);
    CHECK(out.removed == 0);
    CHECK(out.added.front() == Approx(324).margin(3));
    CHECK(out.added.back() == Approx(595).margin(3));
}

TEST_CASE("a calibrator asked for more than can be made up for begins at once") {
    Calibrated scene;
    scene.calibrate(1200);
    const Outcome out = run(scene);
    CHECK(out.added.size() == 200);
    const std::vector<double> first(out.added.begin(), out.added.begin() + 5);
    CHECK(first == std::vector<double>{1, 4, 7, 10, 13});
}

TEST_CASE("a calibrator takes off who comes beyond the number wanted") {
    Calibrated scene;
    scene.calibrate(360);
    scene.add_flow(3);  // 188 of the 200 come onto the edge in time
    const Outcome out = run(scene);
    CHECK(out.added.empty());
    CHECK(out.removed == 128);
    CHECK(out.passed == 72);  // 60 and the 12 that come after the interval
    CHECK(out.trips.status[59] == TripStatus::arrived);
    CHECK(out.trips.status[60] == TripStatus::removed);
}

TEST_CASE("a calibrator counts those who depart on its edge, and the number wanted is rounded") {
    Calibrated scene;
    scene.calibrate(100);  // 16.67
    scene.add_flow(3);
    scene.demand.flows[0].vehicle.depart_edge = 1;
    const Outcome out = run(scene);
    CHECK(out.passed == 17);
    CHECK(out.removed == 183);
}

TEST_CASE("a calibrator adds no more than those missing") {
    Calibrated scene;
    scene.calibrate(360);
    scene.add_flow(18);
    const Outcome out = run(scene);
    CHECK(out.added.size() == 28);  // as in SUMO 1.15: 32 come in time
    CHECK(out.removed == 0);
    CHECK(out.added.front() == Approx(424).margin(6));
}

TEST_CASE("a calibrator adds and takes off only when it is called") {
    Calibrated scene;
    scene.calibrate(3000).period = 10;
    Outcome out = run(scene);
    CHECK(out.added.size() == 59);  // one per call, none at the very begin (SUMO 1.15 adds one there)
    scene.demand.calibrations.clear();
    scene.calibrate(360).period = 60;
    scene.add_flow(3);
    out = run(scene);
    CHECK(out.removed == 109);  // those of the last minute go through
}

TEST_CASE("on several lanes a call adds until one finds no place") {
    Calibrated scene(2);
    scene.calibrate(3000).period = 10;
    CHECK(run(scene).added.size() == 118);
}

TEST_CASE("a calibrator of a lane leaves the others alone") {
    Calibrated scene(2);
    CalibrationDescription& c = scene.calibrate(0);
    c.lane = 1 + 2;  // the left one of f
    scene.add_flow(20);
    CHECK(run(scene).removed == 0);
    scene.demand.calibrations[0].lane = 2;
    CHECK(run(scene).removed == 29);  // all that come until 600 s
}

TEST_CASE("each interval of a calibrator counts anew") {
    Calibrated scene;
    scene.calibrate(360);
    scene.calibrate(720, 600, 1200);
    const Outcome out = run(scene, 1320);
    CHECK(out.added.size() == 180);
    CHECK(std::count_if(out.added.begin(), out.added.end(), [](double t) { return t < 600; }) == 60);
}

TEST_CASE("a calibrator does the same with any number of threads") {
    Calibrated scene(2);
    scene.calibrate(900);
    scene.add_flow(5);
    const Outcome one = run(scene, 600, 1), two = run(scene, 600, 2);
    CHECK(one.added == two.added);
    CHECK(one.hash == two.hash);
}
