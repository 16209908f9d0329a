// What follows from the papers of the car-following models, and what every model has to keep.
#include "agents/car_following.hpp"

#include <cmath>

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
                                      FollowModel::wiedemann99,
                                      FollowModel::gipps};

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

constexpr StepMethod methods[] = {{1, false}, {0.5f, false}, {0.1f, false}, {1, true}, {0.1f, true}};

}  // namespace

TEST_CASE("ACC and CACC keep their speed at the gap of their papers") {
    for (const float v : {4.f, 8.f, 12.f, 20.f}) {
        Situation s;
        s.own.phase = 0;  // it is the leader that counts
        for (const StepMethod m : methods) {
            INFO("speed " << v << " dt " << m.dt << " ballistic " << m.ballistic);
            const float acc_gap = 5 + clearance_margin(v) + v;
            CHECK(follow_speed(driver_of(FollowModel::acc), v, 30, acc_gap, v, 4.5f, m, s) == Approx(v));
            if (acc_gap < 2 * v)  // else it does not mind the leader
                CHECK(follow_speed(driver_of(FollowModel::cacc), v, 30, acc_gap, v, 4.5f, m, s) == Approx(v));
            s.same_model = true;
            CHECK(follow_speed(driver_of(FollowModel::cacc), v, 30, v, v, 4.5f, m, s) == Approx(v));
            s.same_model = false;
        }
    }
    CHECK(clearance_margin(10) == 2);
    CHECK(clearance_margin(12.5f) == 1);
    CHECK(clearance_margin(20) == 0);
}

TEST_CASE("ACC closes a gap by its gains") {
    Situation s;
    s.own.phase = 0;
    const Driver d = driver_of(FollowModel::acc);
    // 10 m too much behind a leader that is 1 m/s slower: 0.04 * 10 - 0.8 * 1
    CHECK(follow_speed(d, 20, 30, 5 + 20 + 10, 19, 4.5f, {0.1f, false}, s) == Approx(20 + 0.1 * (0.4 - 0.8)));
    // beyond 120 m only its speed counts: -0.4 * (20 - 30)
    s.own.phase = 1;
    CHECK(follow_speed(d, 20, 30, 121, 19, 4.5f, {0.1f, false}, s) == Approx(20 + 0.1 * 4));
}

TEST_CASE("Gipps keeps its speed at one and a half reaction times") {
    Driver d = driver_of(FollowModel::gipps);
    for (const float tau : {0.7f, 1.f, 1.5f}) {
        d.tau = tau;
        for (const float v : {4.f, 8.f, 20.f})
            for (const float dt : {0.1f, 0.7f})
                CHECK(follow_speed(d, v, 30, 1.5f * tau * v, v, d.decel, {dt, false}) == Approx(v));
    }
}

TEST_CASE("Gipps keeps its distance from a leader that brakes as hard as it expects") {
    for (const float speed : {5.f, 13.89f, 30.f}) {
        for (const float leader_decel : {4.5f, 9.f}) {
            for (const StepMethod m : methods) {
                INFO("speed " << speed << " decel " << leader_decel << " dt " << m.dt << " ballistic " << m.ballistic);
                const Driver d = driver_of(FollowModel::gipps);
                float v = speed, leader = speed;
                float gap = 1.5f * speed + speed * speed / (2 * d.decel) * (1 - d.decel / leader_decel);
                float hardest = 0;
                while (v > 0.01f) {
                    const float next = follow_speed(d, v, 40, gap, leader, leader_decel, m);
                    const float leader_next = max(0.f, leader - leader_decel * m.dt);
                    gap += m.dt * (m.ballistic ? (leader + leader_next - v - next) / 2 : leader_next - next);
                    hardest = max(hardest, (v - next) / m.dt);
                    v = next, leader = leader_next;
                    REQUIRE(gap > 0);
                }
                CHECK(hardest < 1.25f * d.decel);  // the first step of the leader comes unseen
            }
        }
    }
}

TEST_CASE("EIDM has its improved equilibrium, a sharp one") {
    Driver d = driver_of(FollowModel::eidm);
    d.special.eidm.gap_error = d.special.eidm.leader_error = d.special.eidm.drive_error = 0;
    Situation s;
    s.own.phase = 100;  // s since it drove off
    for (const float v : {4.f, 8.f, 12.f})
        CHECK(eidm_speed(d, v, 13.89f, d.min_gap + v * d.tau, v, d.min_gap, s, 0.1f) == Approx(v).epsilon(0.001));
}

TEST_CASE("W99 asks for its desired speed at once and no more") {
    const Driver d = driver_of(FollowModel::wiedemann99);
    for (const float dt : {1.f, 0.5f, 0.1f}) {
        CHECK(follow_speed(d, 10, 13.89f, 1000, 13.89f, 4.5f, {dt, false}) == Approx(10 + 2 * dt));  // cc8
        CHECK(follow_speed(d, 13.8f, 13.89f, 1000, 13.89f, 4.5f, {dt, false}) == Approx(13.89));
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
