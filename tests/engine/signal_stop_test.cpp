// Who stops at yellow, and where; red without yellow.
#include "tests/support/catch.hpp"
#include "tests/support/net_builder.hpp"
#include "tests/support/scene.hpp"

using namespace jamiton;

namespace {

constexpr float road = 400;  // m before the signal

// One car at `distance` before the lane end with the speed of the limit, when the signal turns from green to `state`.
struct OneCar {
    Scene scene;
    OneCar(float distance, float speed, float decel, const std::string& state) {
        NetBuilder net;
        const int ab = net.edge("ab", "a", "b", road, speed), bc = net.edge("bc", "b", "c", 400, speed);
        net.connect(ab, 0, bc, 0, 'O', 0.1f);
        scene.network = net.description();
        scene.add_signal(ab, {{1, "G"}, {999, state}});
        VehicleType car = Scene::exact_car();
        car.decel = car.apparent_decel = decel;
        scene.add_type(car);
        scene.add_route({ab, bc});
        VehicleDescription& v = scene.add_vehicle(0);
        v.depart_pos = DepartPos::position;
        v.depart_pos_value = road - distance;
        v.depart_speed = DepartSpeed::max;
    }
    // Where the front is before the lane end after 30 s, m; negative: it has passed.
    float distance_left() {
        Simulation s = scene.simulate();
        for (int n = 0; n < 30; ++n) {
            s.step();
            if (s.trajectories().vehicle.empty() || s.trajectories().lane[0] != 0) return -1;
        }
        CHECK(s.trajectories().speed[0] < 0.001f);
        return road - s.trajectories().position[0];
    }
};

float left_of_way(float distance, float speed, float decel, const std::string& state) {
    return OneCar(distance, speed, decel, state).distance_left();
}

}  // namespace

TEST_CASE("at yellow one stops when the way to the lane end is the brake gap or more") {
    struct Row {
        float speed, decel, gap;  // the brake gap without reaction time as measured
    };
    for (const Row r : {Row{8, 4.5f, 3.50f},
                        {13.89f, 4.5f, 14.67f},
                        {20, 4.5f, 35.00f},
                        {27.78f, 4.5f, 72.18f},
                        {13.89f, 3, 25.56f},
                        {13.89f, 4, 17.67f}}) {
        INFO("speed " << r.speed << " decel " << r.decel);
        CHECK(left_of_way(r.gap - 0.05f, r.speed, r.decel, "y") < 0);
        CHECK(left_of_way(r.gap + 0.05f, r.speed, r.decel, "y") >= 0);
        CHECK(left_of_way(r.gap + 0.05f, r.speed, r.decel, "y") <= 1.01f);
        CHECK(left_of_way(r.gap + 40, r.speed, r.decel, "y") == Approx(1).margin(0.02));
    }
}

TEST_CASE("red stops one metre before the line and is absolute") {
    CHECK(left_of_way(150, 13.89f, 4.5f, "r") == Approx(1).margin(0.02));
    for (const float distance : {40.f, 30.f, 20.f, 12.f, 8.f, 5.f, 3.f, 1.f, 0.3f}) {
        INFO("distance " << distance);
        CHECK(left_of_way(distance, 13.89f, 4.5f, "r") >= 0);  // even beyond braking
    }
}

TEST_CASE("green and nobody about: no delay") { CHECK(left_of_way(50, 13.89f, 4.5f, "G") < 0); }
