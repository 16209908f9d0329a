// What drivers do that depends on more than the state of now: late starts, decisions now and then, lights run.
#include "tests/support/catch.hpp"
#include "tests/support/net_builder.hpp"
#include "tests/support/scene.hpp"

using namespace jamiton;

namespace {

constexpr float road = 400;  // m before the signal

// One road with a signal at its end, and cars of one type on it.
struct Road {
    Scene scene;
    explicit Road(const VehicleType& type, const std::vector<std::pair<double, std::string>>& phases,
                  float friction = 1) {
        NetBuilder net;
        const int ab = net.edge("ab", "a", "b", road), bc = net.edge("bc", "b", "c", 400);
        net.connect(ab, 0, bc, 0, 'O', 0.1f);
        scene.network = net.description();
        for (LaneDescription& lane : scene.network.lanes) lane.friction = friction;
        scene.add_signal(ab, phases);
        scene.add_type(type);
        scene.add_route({ab, bc});
    }
    // Speed of the first car after each step, m/s.
    std::vector<double> speeds(int steps) const {
        Simulation s = scene.simulate();
        std::vector<double> result;
        for (int n = 0; n < steps; ++n) {
            s.step();
            const TrajectoryRows rows = s.trajectories();
            result.push_back(rows.speed.empty() ? -1 : static_cast<double>(rows.speed[0]));
        }
        return result;
    }
};

}  // namespace

TEST_CASE("a startup delay holds back who has stood, not who has just entered") {
    VehicleType type = Scene::exact_car();
    type.startup_delay = 1.5f;
    Road one(type, {{60, "r"}, {999, "G"}});
    one.scene.add_vehicle(0);
    const std::vector<double> v = one.speeds(64);
    CHECK(v[1] == Approx(2.6));
    CHECK(v[60] == 0);  // as measured: half a step late, then as ever
    CHECK(v[61] == Approx(1.3).margin(0.001));
    CHECK(v[62] == Approx(3.9).margin(0.001));
}

TEST_CASE("between decisions the acceleration stays") {
    VehicleType type = Scene::exact_car();
    type.action_step_length = 1;
    Road one(type, {{999, "r"}});
    one.scene.options.step = 0.25;
    one.scene.options.ballistic = true;
    one.scene.add_vehicle(0);
    const std::vector<double> v = one.speeds(200);
    for (std::size_t n = 0; n + 4 < v.size(); n += 4) {
        if (v[n + 4] == 0) break;  // stands within the second
        const double first = v[n + 1] - v[n];
        for (std::size_t k = 1; k < 4; ++k) CHECK(v[n + k + 1] - v[n + k] == Approx(first).margin(0.002));
    }
    CHECK(v.back() == Approx(0).margin(0.01));
}

TEST_CASE("who drives after red stops only at a light that has long been red") {
    VehicleType type = Scene::exact_car();
    const auto passes = [&](double red_at) {
        Road one(type, {{red_at, "G"}, {999, "r"}});
        one.scene.add_vehicle(0).depart_speed = DepartSpeed::max;
        return one.speeds(40)[39] > 1;
    };
    CHECK_FALSE(passes(25));
    type.jm_drive_after_red = 5;
    CHECK(passes(25));
    CHECK_FALSE(passes(10));
}

TEST_CASE("a slippery road slows down those who mind it") {
    VehicleType type = Scene::exact_car();
    const auto mean_speed = [&](float friction) {
        Road one(type, {{999, "G"}}, friction);
        one.scene.add_vehicle(0).depart_speed = DepartSpeed::max;
        double sum = 0;
        for (const double v : one.speeds(25)) sum += v / 25;
        return sum;
    };
    CHECK(mean_speed(0.5f) == Approx(13.89).margin(0.01));
    type.friction_device = true;
    CHECK(mean_speed(0.5f) == Approx(13.89 * 0.808).epsilon(0.03));  // 0.4493 + 0.8922 / 2 - 0.3491 / 4
    CHECK(mean_speed(1) == Approx(13.89 * 0.985).epsilon(0.01));
}

TEST_CASE("every model drives a queue off a signal without a collision, the same for any number of threads") {
    for (const CarFollowModel model : {CarFollowModel::krauss_orig1, CarFollowModel::idmm, CarFollowModel::eidm,
                                       CarFollowModel::acc, CarFollowModel::cacc, CarFollowModel::p_wagner_2009,
                                       CarFollowModel::wiedemann, CarFollowModel::wiedemann99, CarFollowModel::gipps}) {
        INFO("model " << static_cast<int>(model));
        VehicleType type = Scene::exact_car();
        type.car_follow = model;
        Road one(type, {{90, "r"}, {999, "G"}});
        one.scene.options.step = 0.5;
        for (int n = 0; n < 12; ++n) one.scene.add_vehicle(4 * n);
        std::uint64_t hash[2] = {};
        for (const int threads : {1, 3}) {
            SimulationOptions options = one.scene.options;
            options.threads = threads;
            Simulation s = one.scene.simulate(options);
            while (!s.everybody_left() && s.time() < 600) s.step();
            CHECK(s.summary().arrived == 12);
            CHECK(s.summary().collisions == 0);
            hash[threads / 2] = s.summary().state_hash;
        }
        CHECK(hash[0] == hash[1]);
    }
}
