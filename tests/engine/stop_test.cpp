// Planned stops: when and where vehicles stand, several at one place, waypoints. Figures are SUMO 1.15's.
#include "tests/support/catch.hpp"
#include "tests/support/net_builder.hpp"
#include "tests/support/scene.hpp"

using namespace jamiton;

namespace {

// Two edges of two lanes, 300 m each: lanes 0 and 1, then 2 and 3.
struct StopScene : Scene {
    StopScene() {
        NetBuilder net;
        const int e = net.edge("e", "a", "b", 300, 13.89f, 2), f = net.edge("f", "b", "c", 300, 13.89f, 2);
        net.connect(e, 0, f, 0, 'M', 0.1f);
        net.connect(e, 1, f, 1, 'M', 0.1f);
        network = net.description();
        add_type(exact_car());
        add_route({e, f});
    }
    static StopDescription stop(int lane, float end, double duration, double until = -1) {
        StopDescription s;
        s.lane = lane;
        s.start_pos = end - 20;
        s.end_pos = end;
        s.duration = duration;
        s.until = until;
        return s;
    }
};

TripTable run(const Scene& scene, int steps) {
    Simulation s = scene.simulate();
    for (int n = 0; n < steps; ++n) s.step();
    s.check_conservation();
    return s.trips();
}

// Position of vehicle v in each step while it stands still, NaN when it never does.
float standing_place(const Scene& scene, std::uint32_t v, int steps) {
    Simulation s = scene.simulate();
    for (int n = 0; n < steps; ++n) {
        s.step();
        const TrajectoryRows rows = s.trajectories();
        for (std::size_t r = 0; r < rows.vehicle.size(); ++r)
            if (rows.vehicle[r] == v && rows.speed[r] < 0.001f && rows.position[r] > 50) return rows.position[r];
    }
    return -1;
}

}  // namespace

TEST_CASE("a stop lasts for its duration and until its time") {
    StopScene scene;
    scene.add_vehicle(0).stops = {StopScene::stop(2, 100, 20)};
    scene.add_vehicle(200).stops = {StopScene::stop(2, 100, 5, 300)};
    const TripTable trips = run(scene, 500);
    CHECK(trips.stop_time[0] == 20);
    CHECK(trips.duration[0] == 69);
    CHECK(trips.waiting_time[0] == 0);
    CHECK(trips.arrival[1] == 316);  // 16 s from the stop on
}

TEST_CASE("a stop on an edge is made on the rightmost lane that the vehicle may use") {
    StopScene scene;
    scene.network.lanes[2].allowed = all_classes & ~permission(VehicleClass::passenger);
    scene.add_vehicle(0).stops = {StopScene::stop(2, 100, 20)};
    CHECK_THROWS_WITH(scene.simulate(), Catch::Contains("may not use"));
    scene.demand.vehicles[0].stops[0].any_lane = true;
    CHECK(run(scene, 200).stop_time[0] == 20);
}

TEST_CASE("who departs as fast as possible can stop at its stop") {
    StopScene scene;
    VehicleDescription& v = scene.add_vehicle(0);
    v.stops = {StopScene::stop(0, 110, 20)};
    v.depart_pos = DepartPos::position;
    v.depart_pos_value = 100;
    v.depart_speed = DepartSpeed::max;
    const TripTable trips = run(scene, 200);
    CHECK(trips.depart_speed[0] == Approx(7.25).margin(0.01));
    CHECK(standing_place(scene, 0, 60) == Approx(110).margin(0.1));
}

TEST_CASE("vehicles of a flow stop as much later as they depart") {
    StopScene scene;
    FlowDescription flow;
    flow.vehicle.id = "f";
    flow.vehicle.type = flow.vehicle.route = 0;
    flow.vehicle.stops = {StopScene::stop(2, 100, 5, 60)};
    flow.kind = FlowKind::period;
    flow.period = 30;
    flow.begin = 0;
    flow.end = 90;
    scene.demand.flows = {flow};
    const TripTable trips = run(scene, 300);
    REQUIRE(trips.arrival.size() == 3);
    CHECK(trips.arrival[0] == 76);
    CHECK(trips.arrival[1] == 106);
    CHECK(trips.arrival[2] == 136);
}

TEST_CASE("a time in a route that vehicles share counts from their departure") {
    StopScene scene;
    scene.demand.routes[0].id = "r";
    scene.demand.routes[0].stops = {StopScene::stop(2, 100, 5, 60)};
    scene.add_vehicle(10);
    CHECK(run(scene, 300).arrival[0] == 86);
}

TEST_CASE("stops of the route come before those of the vehicle") {
    StopScene scene;
    scene.demand.routes[0].stops = {StopScene::stop(0, 150, 7)};
    scene.add_vehicle(0).stops = {StopScene::stop(2, 100, 11)};
    CHECK(run(scene, 300).stop_time[0] == 18);
}

TEST_CASE("at a place the next one stops behind the last if at least half of it fits") {
    StopScene scene;
    for (float length : {17.f, 9.f}) {
        StopScene here;
        here.demand.places = {{"b", 2, 100 - length, 100}};
        StopDescription stop = StopScene::stop(2, 100, 30);
        stop.start_pos = 100 - length;
        stop.place = 0;
        here.add_vehicle(0).stops = {stop};
        here.add_vehicle(3).stops = {stop};
        INFO("place of " << length << " m");
        CHECK(standing_place(here, 0, 100) == Approx(100).margin(0.05));
        CHECK(standing_place(here, 1, 100) == Approx(92.5).margin(0.1));  // length 5, gap 2.5
        const TripTable trips = run(here, 300);
        CHECK(trips.stop_time[1] == 30);
        // In the short place the second begins its stop when the first has left.
        CHECK((trips.waiting_time[1] > 20) == (length < 10));
    }
}

TEST_CASE("the lane of a stop is reached before its edge and left after it") {
    NetBuilder net;
    const int e = net.edge("e", "a", "b", 300, 13.89f, 2), f = net.edge("f", "b", "c", 60, 13.89f, 2),
              g = net.edge("g", "c", "d", 300);
    net.connect(e, 0, f, 0, 'M', 0.1f);
    net.connect(e, 1, f, 1, 'M', 0.1f);
    net.connect(f, 0, g, 0, 'M', 0.1f);
    Scene scene;
    scene.network = net.description();
    scene.add_type(Scene::exact_car());
    scene.add_route({e, f, g});
    StopDescription stop;
    stop.lane = 3;  // f_1, from where no connection leads on
    stop.start_pos = 5;
    stop.end_pos = 15;
    stop.duration = 10;
    scene.add_vehicle(0).stops = {stop};
    const TripTable trips = run(scene, 300);
    CHECK(trips.stop_time[0] == 10);
    CHECK(trips.status[0] == TripStatus::arrived);
    CHECK(trips.teleports[0] == 0);
}

TEST_CASE("a waypoint is passed at its speed") {
    StopScene scene;
    StopDescription stop = StopScene::stop(0, 150, 40);
    stop.start_pos = 100;
    stop.speed = 5;
    scene.add_vehicle(0).stops = {stop};
    stop.until = 130;
    scene.add_vehicle(100).stops = {stop};
    const TripTable trips = run(scene, 300);
    CHECK(trips.duration[0] == 54);
    CHECK(trips.stop_time[0] == 10);
    CHECK(trips.duration[1] > trips.duration[0]);  // drives slowly until its time
}

TEST_CASE("a stop where the route does not lead is an error") {
    StopScene scene;
    scene.add_vehicle(0).stops = {StopScene::stop(2, 100, 20), StopScene::stop(0, 100, 20)};
    CHECK_THROWS_WITH(
        scene.simulate(),
        Catch::Contains("has a stop on edge \"e\", which its route does not reach after the stop before"));
    scene.demand.vehicles[0].stops = {StopScene::stop(0, 100, 20)};
    scene.demand.vehicles[0].depart_pos = DepartPos::position;
    scene.demand.vehicles[0].depart_pos_value = 150;
    CHECK_THROWS_WITH(scene.simulate(), Catch::Contains("behind its stop at 100 m"));
}

namespace {

// A parking area of two lots on lane 2, from 80 to 100 m.
StopDescription in_area(StopScene& scene, double duration, bool on_road = false) {
    if (scene.demand.areas.empty()) scene.demand.areas = {{"p", 2, 80, 100, {90, 100}, on_road}};
    StopDescription stop = StopScene::stop(2, 100, duration);
    stop.area = 0;
    return stop;
}

}  // namespace

TEST_CASE("who parks beside the lane stops nobody and comes back") {
    StopScene scene;
    StopDescription stop = StopScene::stop(2, 100, 20);
    stop.parking = true;
    scene.add_vehicle(0).stops = {stop};
    scene.add_vehicle(3);
    const TripTable trips = run(scene, 300);
    CHECK(trips.stop_time[0] == 20);
    CHECK(trips.duration[0] == 69);
    CHECK(trips.waiting_time[1] == 0);
    CHECK(trips.arrival[1] < trips.arrival[0]);
}

TEST_CASE("a parking area takes as many as it has lots, others wait before it") {
    StopScene scene;
    for (int n = 0; n < 3; ++n) {
        const StopDescription stop = in_area(scene, 60);
        scene.add_vehicle(n * 5).stops = {stop};
    }
    CHECK(standing_place(scene, 2, 60) == Approx(80 - 2.6).margin(0.05));
    const TripTable trips = run(scene, 400);
    for (int v = 0; v < 3; ++v) {
        CHECK(trips.stop_time[v] >= 60);
        CHECK(trips.stop_time[v] < 65);
    }
    CHECK(trips.waiting_time[2] > 40);
    CHECK(trips.status[2] == TripStatus::arrived);
}

TEST_CASE("lots on the road are taken and left") {
    StopScene scene;
    const StopDescription stop = in_area(scene, 30, true);
    scene.add_vehicle(0).stops = {stop};
    scene.add_vehicle(100).stops = {stop};
    CHECK(standing_place(scene, 0, 60) == Approx(90).margin(0.05));
    const TripTable trips = run(scene, 400);
    CHECK(trips.stop_time[0] == 30);
    CHECK(trips.stop_time[1] == 30);
    CHECK(trips.arrival[1] - trips.arrival[0] == 100);
}

TEST_CASE("who departs at its stop stands there") {
    StopScene scene;
    VehicleDescription& v = scene.add_vehicle(0);
    v.stops = {StopScene::stop(0, 100, 20)};
    v.depart_pos = DepartPos::stop;
    const TripTable trips = run(scene, 300);
    CHECK(trips.depart_pos[0] == 100);
    CHECK(trips.stop_time[0] == 20);
}
