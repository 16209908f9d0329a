// What every car-following model has to keep, and the gaps and starts that SUMO 1.15 was measured to drive.
#include "agents/car_following.hpp"

#include <cmath>
#include <vector>

#include "engine/core/random.hpp"
#include "tests/support/catch.hpp"

using namespace jamiton;

namespace {

constexpr FollowModel all_models[] = {FollowModel::krauss,
                                      FollowModel::idm,
                                      FollowModel::idmm,
                                      FollowModel::eidm,
                                      FollowModel::acc,
                                      FollowModel::cacc,
                                      FollowModel::krauss_original,
                                      FollowModel::wagner,
                                      FollowModel::wiedemann,
                                      FollowModel::wiedemann99};

Driver driver_of(FollowModel model) {
    Driver d;
    d.model = model;
    switch (model) {
        case FollowModel::eidm: d.special.eidm = {}; break;
        case FollowModel::acc: d.special.acc = {}; break;
        case FollowModel::cacc: d.special.cacc = {}; break;
        case FollowModel::wagner: d.special.wagner = {}; break;
        case FollowModel::wiedemann: d.special.wiedemann = {}; break;
        case FollowModel::wiedemann99:
            d.special.wiedemann99 = {};
            d.accel = 2;
            break;
        default: break;
    }
    return d;
}

// One vehicle on a straight road, as the engine integrates it.
struct Car {
    Driver d;
    StepMethod m;
    DriverState state = {};
    float position = 0, speed = 0;
    std::uint32_t step = 0;

    void follow(float desired, float gap, float leader_speed) {
        const RandomWords r = draw(1, 0, step++, Purpose::action);
        Situation s{state, 0, false, uniform(r.word[0])};
        float v = min(speed + d.accel * m.dt, free_speed(d, speed, desired, m, s));
        if (gap < 1e5f) v = min(v, follow_speed(d, speed, desired, gap, leader_speed, d.decel, m, s));
        v = max(v, max(0.f, speed - d.emergency_decel * m.dt));
        const float normal[3] = {nearly_normal(r.word[1]), nearly_normal(r.word[2]), nearly_normal(r.word[3])};
        DriverState next = next_driver_state(d, state, speed, desired, gap, normal, m.dt);
        next.acceleration = (v - speed) / m.dt;
        state = next;
        position += (m.ballistic ? (speed + v) / 2 : v) * m.dt;
        speed = v;
    }
};

// Mean gap less min_gap behind a leader at this speed, after ten minutes.
double settled_gap(FollowModel model, float leader_speed, StepMethod m) {
    Car car{driver_of(model), m};
    float leader = 24;  // as measured: from rest behind one that has just passed
    double sum = 0;
    const int steps = static_cast<int>(1200 / m.dt);
    for (int n = 0; n < steps; ++n) {
        car.follow(13.89f, leader - car.position, leader_speed);
        leader += leader_speed * m.dt;
        REQUIRE(leader - car.position > -car.d.min_gap);
        if (n >= steps / 2) sum += static_cast<double>(leader - car.position);
    }
    return sum / (steps - steps / 2);
}

}  // namespace

// Some never come to rest: CACC hunts between its modes, W99 and Wiedemann drift between thresholds. So the mean
// counts.
TEST_CASE("models keep the gaps that SUMO keeps") {
    struct Row {
        FollowModel model;
        double gap, tolerance;
    };
    for (const Row& row : {Row{FollowModel::krauss, 8, 0.01}, Row{FollowModel::krauss_original, 8, 0.01},
                           Row{FollowModel::idm, 8.63, 0.01}, Row{FollowModel::acc, 15, 0.02},
                           Row{FollowModel::cacc, 15, 0.09}, Row{FollowModel::eidm, 8.5, 0.12},
                           Row{FollowModel::wiedemann99, 14.3, 0.14}, Row{FollowModel::wiedemann, 16, 0.1}}) {
        INFO("model " << static_cast<int>(row.model));
        for (const StepMethod m : {StepMethod{1, false}, StepMethod{0.5f, false}, StepMethod{0.1f, false},
                                   StepMethod{1, true}, StepMethod{0.1f, true}})
            CHECK(settled_gap(row.model, 8, m) == Approx(row.gap).epsilon(row.tolerance));
    }
}

TEST_CASE("ACC and CACC keep length, headway and a margin that shrinks with speed") {
    for (const float v : {8.f, 10.f, 12.f}) {  // slower, CACC would no longer hold the leader for near
        const double wanted = static_cast<double>(v + 5 + clearance_margin(v));
        CHECK(settled_gap(FollowModel::acc, v, {1, false}) == Approx(wanted).epsilon(0.03));
        CHECK(settled_gap(FollowModel::cacc, v, {1, false}) == Approx(wanted).epsilon(0.03));
    }
    CHECK(clearance_margin(10) == 2);
    CHECK(clearance_margin(12.5f) == 1);
    CHECK(clearance_margin(20) == 0);
}

TEST_CASE("models start as measured, second by second") {
    struct Row {
        FollowModel model;
        std::vector<double> speed;
    };
    for (const Row& row : {Row{FollowModel::acc, {2.6, 5.2, 7.8, 10.4, 13.0, 13.89}},
                           Row{FollowModel::wiedemann99, {2, 4, 6, 8, 10, 12, 13.89}},
                           Row{FollowModel::idmm, {2.60, 5.19, 7.68, 9.89, 11.60, 12.71}},
                           Row{FollowModel::eidm, {1.190, 3.774, 6.334, 8.730, 10.742, 12.181, 13.047}}}) {
        Car car{driver_of(row.model), {1, false}};
        if (row.model == FollowModel::eidm) car.d.special.eidm.drive_error = 0;
        for (const double expected : row.speed) {
            car.follow(13.89f, 1e6f, 13.89f);
            CHECK(static_cast<double>(car.speed) == Approx(expected).margin(0.011));
        }
    }
}

TEST_CASE("no model answers with nonsense, whatever it is asked") {
    for (const FollowModel model : all_models) {
        const Driver d = driver_of(model);
        INFO("model " << static_cast<int>(model));
        for (std::uint32_t n = 0; n < 20000; ++n) {
            const RandomWords a = philox(7, n, 1, 0), b = philox(7, n, 2, 0);
            const auto u = [](std::uint32_t word) { return uniform(word); };
            const float speed = n % 5 == 0 ? 0.f : 40 * u(a.word[0]), leader = n % 7 == 0 ? 0.f : 40 * u(a.word[1]);
            const float gap = n % 11 == 0 ? 0.f : (n % 3 == 0 ? 1e5f * u(a.word[2]) : 120 * u(a.word[2]) - 10);
            const float desired = 0.1f + 40 * u(a.word[3]);
            Situation s{{10 * u(b.word[0]) - 7, n % 2 == 0 ? 1.f : 0.f, 4 * u(b.word[1]) - 2, 4 * u(b.word[2]) - 2,
                         4 * u(b.word[3]) - 2, 0},
                        8 * u(b.word[1]) - 5,
                        n % 4 == 0,
                        u(b.word[2])};
            for (const StepMethod m : {StepMethod{1, false}, StepMethod{0.1f, false}, StepMethod{1, true}}) {
                const float follow = follow_speed(d, speed, desired, gap, leader, d.decel, m, s);
                const float stop = stop_speed(d, speed, desired, max(0.f, gap), m, s);
                const float limit = approach_speed(d, speed, desired, max(0.f, gap), desired / 2, m, s);
                for (const float v : {follow, stop, limit}) {
                    REQUIRE(std::isfinite(v));
                    if (!m.ballistic) REQUIRE(v >= 0);
                }
                if (is_intelligent(model)) REQUIRE(follow <= speed + (d.accel + 0.5f) * m.dt + 0.001f);
            }
        }
    }
}

TEST_CASE("exponentials agree with those of the library") {
    for (double x = -20; x <= 20; x += 0.37) {
        CHECK(static_cast<double>(exp2_of(static_cast<float>(x))) == Approx(std::exp2(x)).epsilon(4e-6));
        CHECK(static_cast<double>(tanh_of(static_cast<float>(x))) == Approx(std::tanh(x)).margin(1e-6));
        const float y = static_cast<float>(std::exp2(x));
        CHECK(static_cast<double>(log2_of(y)) == Approx(x).margin(5e-6));
    }
    CHECK(power(0, 2) == 0);
    CHECK(power(3, 4) == Approx(81).epsilon(1e-5));
}
