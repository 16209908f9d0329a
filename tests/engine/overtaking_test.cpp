// On which side a fast driver passes a slow one, and how one gets past who makes a stop. Figures are SUMO 1.15's.
#include "tests/support/catch.hpp"
#include "tests/support/net_builder.hpp"
#include "tests/support/scene.hpp"

using namespace jamiton;

namespace {

// Three lanes of 3 km with a limit of 36 m/s. Vehicle 0 is ahead, vehicle 1 is watched.
struct Motorway : Scene {
    explicit Motorway(float slow_speed = 20) {
        NetBuilder net;
        const int e = net.edge("e", "a", "b", 3000, 36, 3);
        network = net.description();
        VehicleType slow = exact_car(), fast = exact_car();
        slow.max_speed = slow_speed;
        slow.lc_keep_right = slow.lc_speed_gain = 0;
        add_type(slow);
        add_type(fast);
        add_route({e});
    }
    VehicleDescription& put(int type, int lane, float position, float speed) {
        VehicleDescription& v = add_vehicle(0, type);
        v.depart_lane = DepartLane::index;
        v.depart_lane_index = lane;
        v.depart_pos = DepartPos::position;
        v.depart_pos_value = position;
        v.depart_speed_value = speed;
        return v;
    }
    // "step:lane step:lane ..." of vehicle 1: where it starts and when it changes.
    std::string lanes(int steps) const {
        Simulation s = simulate();
        std::string story;
        int last = -1;
        for (int n = 0; n < steps; ++n) {
            s.step();
            const TrajectoryRows rows = s.trajectories();
            for (std::size_t r = 0; r < rows.vehicle.size(); ++r) {
                const int lane = static_cast<int>(rows.lane[r]);
                if (rows.vehicle[r] != 1 || lane == last) continue;
                last = lane;
                story += std::to_string(n) + ":" + std::to_string(last) + " ";
            }
        }
        return story;
    }
    float speed(int step) const {
        Simulation s = simulate();
        for (int n = 0; n <= step; ++n) s.step();
        const TrajectoryRows rows = s.trajectories();
        for (std::size_t r = 0; r < rows.vehicle.size(); ++r)
            if (rows.vehicle[r] == 1) return rows.speed[r];
        return -1;
    }
};

}  // namespace

TEST_CASE("a fast driver does not pass a slower one on its right") {
    Motorway early;
    early.put(0, 1, 805, 20);
    early.put(1, 0, 500, 36);
    CHECK(early.lanes(30) == "0:0 2:1 11:2 ");
    Motorway late;  // too near to go over to its lane before it
    late.put(0, 1, 565, 20);
    late.put(1, 0, 500, 36);
    CHECK(late.lanes(12) == "0:0 ");
    CHECK(late.speed(2) == Approx(31.5).margin(0.01));
    CHECK(late.speed(5) == Approx(20.1).margin(0.05));
    late.demand.types[1].lc_overtake_right = 1;
    CHECK(late.speed(12) == Approx(36).margin(0.01));
}

TEST_CASE("at 60 km/h everybody may pass on the right") {
    Motorway slow(10);
    slow.demand.types[1].max_speed = 16;
    slow.put(0, 1, 605, 10);
    slow.put(1, 0, 500, 16);
    CHECK(slow.lanes(40) == "0:0 ");
    CHECK(slow.speed(30) == Approx(16).margin(0.01));
}

TEST_CASE("a driver drives round one who makes a stop before its own") {
    Motorway scene;
    StopDescription stop;
    stop.lane = 0;
    stop.start_pos = 1900;
    stop.end_pos = 2000;
    stop.duration = 500;
    scene.put(0, 0, 2000, 0).stops = {stop};
    stop.end_pos = 2020;
    stop.duration = 20;
    VehicleDescription& other = scene.put(1, 0, 1960, 0);
    other.depart = 5;
    other.stops = {stop};
    CHECK(scene.lanes(40) == "5:0 6:1 11:0 ");
    Simulation s = scene.simulate();
    for (int n = 0; n < 80; ++n) s.step();
    CHECK(s.trips().stop_time[1] == 20);
}
