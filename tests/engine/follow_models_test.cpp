// Car-following models on a road: the gap they keep, as their papers have it, and how they start.
#include <cmath>

#include "tests/support/catch.hpp"
#include "tests/support/net_builder.hpp"
#include "tests/support/scene.hpp"

using namespace jamiton;

namespace {

constexpr double limit = 13.89;  // m/s

VehicleType car_of(CarFollowModel model) {
    VehicleType type = Scene::exact_car();
    type.car_follow = model;
    return type;
}

struct LongRoad {
    Scene scene;
    LongRoad() {
        NetBuilder net;
        const int edge = net.edge("ab", "a", "b", 30000, static_cast<float>(limit));
        scene.network = net.description();
        scene.add_route({edge});
    }
    // Mean gap less minGap, m, of the last of `followers` cars, of vehicle type 1, behind one that drives at `speed`.
    double settled_gap(const VehicleType& follower, double speed, double step, bool ballistic = false,
                       int followers = 1) {
        VehicleType slow = Scene::exact_car();
        slow.max_speed = static_cast<float>(speed);
        scene.add_type(slow);
        scene.add_type(follower);
        scene.options.step = step;
        scene.options.ballistic = ballistic;
        for (int n = 0; n <= followers; ++n) scene.add_vehicle(4 * n, n > 0 ? 1 : 0);
        Simulation s = scene.simulate();
        const int settle = static_cast<int>(600 / step), watch = static_cast<int>(1200 / step);
        double sum = 0;
        for (int n = 0; n < settle + watch; ++n) {
            s.step();
            if (n < settle) continue;
            const TrajectoryRows rows = s.trajectories();
            float ahead = 0, own = 0;  // fronts
            for (std::size_t r = 0; r < rows.vehicle.size(); ++r) {
                if (static_cast<int>(rows.vehicle[r]) == followers - 1) ahead = rows.position[r];
                if (static_cast<int>(rows.vehicle[r]) == followers) own = rows.position[r];
            }
            sum += static_cast<double>(ahead - own);
        }
        return sum / watch - static_cast<double>(slow.length + follower.min_gap);
    }
};

// Holds the mean gap to a formula within 1 %, for long and short steps.
template <class Formula>
void check_gaps(const VehicleType& type, Formula&& formula, const std::vector<double>& speeds = {5, 8, 12.5},
                int followers = 1) {
    for (const double speed : speeds) {
        for (const double step : {1., 0.5, 0.1}) {
            for (const bool ballistic : {false, true}) {
                INFO("speed " << speed << " step " << step << " ballistic " << ballistic);
                CHECK(LongRoad().settled_gap(type, speed, step, ballistic, followers) ==
                      Approx(formula(speed)).epsilon(0.01));
            }
        }
    }
}

double idm_gap(double speed, double headway) {
    const double share = speed / limit;
    return (2.5 + speed * headway) / std::sqrt(1 - share * share * share * share) - 2.5;
}

std::vector<double> start(const VehicleType& type, int seconds) {
    LongRoad one;
    one.scene.add_type(type);
    one.scene.add_vehicle(0);
    Simulation s = one.scene.simulate();
    std::vector<double> speeds;
    for (int n = 0; n <= seconds; ++n) {
        s.step();
        if (n > 0) speeds.push_back(static_cast<double>(s.trajectories().speed[0]));
    }
    return speeds;
}

}  // namespace

TEST_CASE("the models of Krauss keep the way of one headway") {
    check_gaps(car_of(CarFollowModel::krauss), [](double v) { return v; });
    check_gaps(car_of(CarFollowModel::krauss_orig1), [](double v) { return v; });
}

TEST_CASE("Gipps keeps one and a half reaction times, and more where leaders may brake harder or softer") {
    VehicleType type = car_of(CarFollowModel::gipps);
    check_gaps(type, [](double v) { return 1.5 * v; });
    type.tau = 0.8f;
    LongRoad quick;
    CHECK(quick.settled_gap(type, 8, 0.4) == Approx(1.5 * 0.8 * 8).epsilon(0.01));
    type.tau = 1;
    type.decel = 3;  // own; the leader brakes with 4.5
    LongRoad weak;
    CHECK(weak.settled_gap(type, 8, 0.5) == Approx(1.5 * 8 + 64. / 6 * (1 - 3 / 4.5)).epsilon(0.01));
}

TEST_CASE("IDM keeps its equilibrium gap, with memory the one of its long headway") {
    check_gaps(car_of(CarFollowModel::idm), [](double v) { return idm_gap(v, 1); });
    VehicleType remembering = car_of(CarFollowModel::idmm);
    remembering.idmm.adapt_time = 30;
    check_gaps(remembering, [](double v) { return idm_gap(v, 1.8 - 0.8 * v / limit); });
}

TEST_CASE("ACC keeps headway, a car's length and a margin that shrinks with speed") {
    const auto formula = [](double v) { return v + 5 + (v >= 10.8 ? 75 / v - 5 : 2); };
    check_gaps(car_of(CarFollowModel::acc), formula);
    check_gaps(car_of(CarFollowModel::cacc), formula, {10, 12.5});  // behind one that is no CACC
}

TEST_CASE("CACC keeps its headway behind its kind") {
    check_gaps(
        car_of(CarFollowModel::cacc), [](double v) { return v; }, {10, 12.5}, 2);
}

// Below about 9 m/s the wanted gap is near the two seconds beyond which CACC no longer minds the leader.
TEST_CASE("CACC hunts behind slow leaders as SUMO's does") {
    struct Row {
        double step;
        bool ballistic;
        int followers;
        double gap;
    };
    for (const Row& row : {Row{1, false, 1, 14.07},
                           {1, true, 1, 12.39},
                           {0.5, false, 1, 15.00},
                           {0.5, true, 1, 13.87},
                           {1, false, 2, 8.69},
                           {1, true, 2, 8.78},
                           {0.5, false, 2, 8.00},
                           {0.5, true, 2, 8.39}}) {
        INFO("step " << row.step << " ballistic " << row.ballistic << " followers " << row.followers);
        CHECK(LongRoad().settled_gap(car_of(CarFollowModel::cacc), 8, row.step, row.ballistic, row.followers) ==
              Approx(row.gap).epsilon(0.01));
    }
}

// They never come to rest: the mean counts. SUMO's own means behind 8 m/s over the same 20 minutes: EIDM 8.3 to 8.4,
// W99 13.3 (1 s), 13.5 (0.5 s) and 14.6 or, ballistic, 16.1 (0.1 s): there it has two ways to follow. Wiedemann 15.2
// to 15.3.
TEST_CASE("models that oscillate keep SUMO's gaps on average") {
    for (const double step : {1., 0.5, 0.1}) {
        INFO("step " << step);
        CHECK(LongRoad().settled_gap(car_of(CarFollowModel::eidm), 8, step) == Approx(8.35).epsilon(0.05));
        CHECK(LongRoad().settled_gap(car_of(CarFollowModel::wiedemann), 8, step) == Approx(15.25).epsilon(0.05));
        const double w99 = LongRoad().settled_gap(car_of(CarFollowModel::wiedemann99), 8, step);
        if (step < 0.5)
            CHECK((w99 > 14.57 * 0.95 && w99 < 16.1 * 1.05));
        else
            CHECK(w99 == Approx(13.4).epsilon(0.02));
    }
}

TEST_CASE("models start as SUMO's do, second by second") {
    struct Row {
        CarFollowModel model;
        std::vector<double> speed;
    };
    for (const Row& row : {Row{CarFollowModel::krauss, {2.6, 5.2, 7.8, 10.4, 13.0, 13.89}},
                           Row{CarFollowModel::krauss_orig1, {2.6, 5.2, 7.8, 10.4, 13.0, 13.89}},
                           Row{CarFollowModel::idm, {2.60, 5.19, 7.68, 9.89, 11.60, 12.71}},
                           Row{CarFollowModel::acc, {2.6, 5.2, 7.8, 10.4, 13.0, 13.89}},
                           Row{CarFollowModel::wiedemann99, {2, 4, 6, 8, 10, 12, 13.89}},
                           Row{CarFollowModel::eidm, {1.190, 3.774, 6.334, 8.730, 10.742, 12.181, 13.047}}}) {
        INFO("model " << static_cast<int>(row.model));
        VehicleType type = car_of(row.model);
        type.eidm.drive_error = 0;
        const std::vector<double> speeds = start(type, static_cast<int>(row.speed.size()));
        for (std::size_t n = 0; n < row.speed.size(); ++n) CHECK(speeds[n] == Approx(row.speed[n]).margin(0.011));
    }
}

TEST_CASE("Gipps' free acceleration is at most accel, near a third of the desired speed") {
    const std::vector<double> v = start(car_of(CarFollowModel::gipps), 40);
    double before = 0, most = 0, at = 0;
    for (const double speed : v) {
        if (speed - before > most) most = speed - before, at = before;
        before = speed;
    }
    CHECK(most <= 2.6);
    CHECK(most == Approx(2.6).epsilon(0.03));  // over a second of changing acceleration
    CHECK(at == Approx(limit * 0.317).margin(1.3));
    CHECK(v[0] == Approx(2.5 * 2.6 * std::sqrt(0.025)).epsilon(0.001));
    CHECK(v.back() == Approx(limit).epsilon(0.001));
}
