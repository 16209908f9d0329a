#include "agents/krauss.hpp"

#include "engine/core/random.hpp"
#include "tests/support/catch.hpp"

using namespace jamiton;

namespace {

constexpr StepMethod one_second{1, false};

// Mean, least and greatest speed of the n-th step from rest over many drivers.
struct Start {
    double mean = 0, least = 1e9, greatest = -1e9;
};
Start start_from_rest(int step_number, float sigma, float dt) {
    Start s;
    constexpr int drivers = 200000;
    const float accel = 2.6f;
    for (std::uint32_t n = 0; n < drivers; ++n) {
        float v = 0;
        for (int k = 0; k < step_number; ++k)
            v = krauss_dawdle(v + accel * dt, sigma, accel, dt,
                              uniform(draw(1, n, static_cast<std::uint32_t>(k), Purpose::dawdle).word[0]));
        s.mean += static_cast<double>(v) / drivers;
        s.least = std::min(s.least, static_cast<double>(v));
        s.greatest = std::max(s.greatest, static_cast<double>(v));
    }
    return s;
}

}  // namespace

TEST_CASE("behind a leader of the same speed the gap is one reaction time") {
    const Driver d;
    for (const float v : {3.f, 8.f, 13.89f, 25.f}) {
        const float gap = v * d.tau;
        CHECK(krauss_follow_speed(d, v, gap, v, d.decel, one_second) == Approx(v).margin(0.01));
        CHECK(krauss_follow_speed(d, v, gap - 1, v, d.decel, one_second) < v);
        CHECK(krauss_follow_speed(d, v, gap + 1, v, d.decel, one_second) > v);
    }
}

TEST_CASE("following 8 m per s settles at the measured gap of 8.00 m") {
    const Driver d;
    float gap = 60, v = 13.89f;
    for (int n = 0; n < 100; ++n) {
        v = min(13.89f, min(v + d.accel, krauss_follow_speed(d, v, gap, 8, d.decel, one_second)));
        gap += 8 - v;
        REQUIRE(gap > 0);
    }
    CHECK(v == Approx(8).margin(0.01));
    CHECK(gap == Approx(8.00).margin(0.02));
}

TEST_CASE("nobody touches a leader who brakes as hard as expected") {
    const Driver d;
    for (float start = 5; start < 40; start += 1.3f)
        for (const float dt : {0.5f, 1.f}) {
            const StepMethod m{dt, false};
            float leader = 13.89f, v = 13.89f, gap = 13.89f + start;
            while (v > 0.001f) {
                v = min(v + d.accel * dt, krauss_follow_speed(d, v, gap, leader, d.decel, m));
                leader = max(0.f, leader - d.decel * dt);
                gap += (leader - v) * dt;
                INFO("from " << start << " more than a reaction time, step " << dt);
                REQUIRE(gap > -0.01f);
            }
        }
}

TEST_CASE("a longer reaction time wants a longer gap") {
    Driver d;
    d.tau = 1.5f;
    CHECK(krauss_follow_speed(d, 8, 12, 8, d.decel, one_second) == Approx(8).margin(0.01));
}

TEST_CASE("dawdling from rest is as measured") {
    const Start first = start_from_rest(1, 0.5f, 1);
    CHECK(first.least == Approx(1.30).margin(0.001));
    CHECK(first.greatest == Approx(2.60).margin(0.001));
    CHECK(first.mean == Approx(1.95).margin(0.005));
    const Start second = start_from_rest(2, 0.5f, 1);
    CHECK(second.mean == Approx(3.90).margin(0.01));  // 2 (2.6 - 0.65)
    CHECK(second.mean == Approx(3.97).margin(0.10));  // measured over some drivers
}

TEST_CASE("dawdling scales with the step") {
    const Start half = start_from_rest(1, 0.5f, 0.5f);
    CHECK(half.least == Approx(0.975).margin(0.001));
    CHECK(half.greatest == Approx(1.30).margin(0.001));
    // At speed: 0.65 m/s below the desired one in the mean at 1 s, 0.33 at half a second.
    double loss[2] = {};
    for (std::uint32_t n = 0; n < 100000; ++n) {
        const float u = uniform(draw(2, n, 0, Purpose::dawdle).word[0]);
        loss[0] += (13.9 - static_cast<double>(krauss_dawdle(13.9f, 0.5f, 2.6f, 1, u))) / 100000;
        loss[1] += (13.9 - static_cast<double>(krauss_dawdle(13.9f, 0.5f, 2.6f, 0.5f, u))) / 100000;
    }
    CHECK(loss[0] == Approx(0.65).margin(0.005));
    CHECK(loss[1] == Approx(0.325).margin(0.005));
}

TEST_CASE("a perfect driver does not dawdle and nobody dawdles backwards") {
    CHECK(krauss_dawdle(7, 0, 2.6f, 1, 0.99f) == 7);
    CHECK(krauss_dawdle(0, 1, 2.6f, 1, 0.99f) == 0);
    CHECK(krauss_dawdle(0.01f, 1, 2.6f, 1, 0.9999f) >= 0);
}
