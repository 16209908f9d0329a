// Braking in discrete time against sums and bisection in double precision, and against rows measured with SUMO.
#include "agents/braking.hpp"

#include <cmath>
#include <vector>

#include "tests/support/catch.hpp"

using namespace jamiton;

namespace {

constexpr StepMethod euler(float dt) { return {dt, false}; }
constexpr StepMethod ballistic(float dt) { return {dt, true}; }

// Way to stand still: `headway` s at v, then a step of each lower speed.
double euler_way(double v, double decel, double headway, double dt) {
    double way = v * headway;
    for (double w = v - decel * dt; w > 0; w -= decel * dt) way += w * dt;
    return way;
}

// The largest speed whose way fits into the gap.
template <class Way>
double largest_speed(double gap, Way&& way) {
    double low = 0, high = 100;
    for (int k = 0; k < 60; ++k) {
        const double mid = (low + high) / 2;
        (way(mid) <= gap ? low : high) = mid;
    }
    return low;
}

}  // namespace

TEST_CASE("the way to stand still is the sum of the steps") {
    for (const float dt : {0.1f, 0.25f, 0.5f, 1.f})
        for (const float decel : {1.f, 3.f, 4.5f, 9.f})
            for (const float headway : {0.f, 0.5f, 1.f})
                for (float v = 0.05f; v < 50; v += 0.37f) {
                    INFO("dt " << dt << " decel " << decel << " headway " << headway << " speed " << v);
                    CHECK(brake_gap(v, decel, headway, euler(dt)) ==
                          Approx(euler_way(v, decel, headway, dt)).epsilon(1e-5).margin(2e-4));
                }
    CHECK(brake_gap(0, 4.5f, 1, euler(1)) == 0);
}

TEST_CASE("brake gaps decide at yellow: the measured ones") {
    CHECK(brake_gap(8, 4.5f, 0, euler(1)) == Approx(3.50));
    CHECK(brake_gap(13.89f, 4.5f, 0, euler(1)) == Approx(14.67));
    CHECK(brake_gap(20, 4.5f, 0, euler(1)) == Approx(35.00));
    CHECK(brake_gap(27.78f, 4.5f, 0, euler(1)) == Approx(72.18));
    CHECK(brake_gap(13.89f, 3, 0, euler(1)) == Approx(25.56));
    CHECK(brake_gap(13.89f, 4, 0, euler(1)) == Approx(17.67));
}

TEST_CASE("the stop speed is the largest from which one can stop") {
    for (const float dt : {0.1f, 0.2f, 0.5f, 0.7f, 1.f})
        for (const float decel : {1.f, 3.f, 4.5f, 9.f})
            for (const float headway : {dt, 1.f, 1.5f}) {
                if (headway < dt) continue;
                for (float gap = 0.05f; gap < 300; gap = gap * 1.13f + 0.01f) {
                    const double best =
                        largest_speed(gap - tiny_gap, [&](double v) { return euler_way(v, decel, headway, dt); });
                    INFO("dt " << dt << " decel " << decel << " headway " << headway << " gap " << gap);
                    const float v = stop_speed_euler(gap, decel, headway, dt);
                    CHECK(v == Approx(best).epsilon(2e-5).margin(1e-4));
                    CHECK(euler_way(v, decel, headway, dt) <= static_cast<double>(gap));  // never over the line
                }
            }
    CHECK(stop_speed_euler(0, 4.5f, 1, 1) == 0);
    CHECK(stop_speed_euler(-3, 4.5f, 1, 1) == 0);
}

TEST_CASE("a red light is approached as measured") {
    const Driver d;
    float gap = 24.38f, v = 14.11f;
    for (const float expected : {12.63f, 8.13f, 3.63f, 0.f}) {
        v = safe_stop_speed(gap, v, d, d.decel, euler(1));
        CHECK(v == Approx(expected).margin(0.01));
        gap -= v;
    }
}

TEST_CASE("a slow lane is approached as measured") {
    const Driver d;
    float distance = 15.4f, v = 13.89f;
    for (const float expected : {11.01f, 6.51f}) {
        v = speed_to_reach(distance, v, 6.51f, d, euler(1));
        CHECK(v == Approx(expected).margin(0.005));
        distance -= v;
    }
}

TEST_CASE("a lower limit holds in the first step on its lane and braking stays comfortable") {
    const Driver d;
    for (const float dt : {0.1f, 0.5f, 1.f})
        for (const float limit : {1.f, 5.f, 8.33f})
            for (float start = 60; start < 74; start += 0.31f) {
                float distance = start, v = 13.89f;
                while (distance > -1e-4f) {  // at 0 it stands on the end
                    const float before = v;
                    v = min(v, speed_to_reach(distance, v, limit, d, euler(dt)));
                    INFO("dt " << dt << " limit " << limit << " from " << start << " m, now " << distance << " m");
                    CHECK(v >= limit - 1e-4f);
                    CHECK(before - v <= d.decel * dt + 1e-3f);
                    distance -= v * dt;
                }
                CHECK(v == Approx(limit).margin(1e-3));
            }
}

TEST_CASE("ballistic stops end at the line") {
    for (const float dt : {0.1f, 0.5f, 1.f})
        for (const float decel : {3.f, 4.5f})
            for (float gap = 50; gap < 140; gap += 3.7f) {
                float x = 0, v = 13.89f;
                for (int n = 0; v > 0 && n < 4000; ++n) {
                    const float w =
                        min(v + 2.6f * dt, min(13.89f, stop_speed_ballistic(gap - x, v, decel, 1, dt, false)));
                    INFO("dt " << dt << " decel " << decel << " gap " << gap << " at " << x << " with " << v);
                    if (v > 0.1f) REQUIRE(v - w <= decel * dt + 0.01f);
                    x += w >= 0 ? (v + w) / 2 * dt : v * v / (2 * (v - w) / dt);
                    v = w;
                }
                CHECK(x <= gap);
                CHECK(x > gap - 1);
            }
}

TEST_CASE("the ballistic way to stand still is that of constant deceleration") {
    for (const float v : {1.f, 8.f, 13.89f, 40.f}) {
        double way = static_cast<double>(v) * 1.2, w = static_cast<double>(v);
        for (const double h = 1e-4; w > 0; w -= 4.5 * h) way += w * h;
        CHECK(brake_gap(v, 4.5f, 1.2f, ballistic(1)) == Approx(way).epsilon(1e-3));
    }
}

TEST_CASE("a ballistic entry speed allows a stop after the reaction time") {
    for (const float gap : {1.f, 10.f, 60.f}) {
        const float v = stop_speed_ballistic(gap, 0, 4.5f, 1, 1, true);
        CHECK(v * 1 + v * v / (2 * 4.5f) == Approx(gap - tiny_gap).epsilon(1e-4));
    }
}

TEST_CASE("the needed deceleration avoids the leader") {
    for (const float gap : {2.f, 10.f, 40.f})
        for (const float v : {6.f, 13.f, 25.f})
            for (const float leader : {0.f, 5.f, 12.f}) {
                if (leader >= v) continue;
                const double needed = static_cast<double>(needed_deceleration(gap, v, leader, 4.5f, 9));
                double nearest = 1e9, room = static_cast<double>(gap), own = static_cast<double>(v),
                       other = static_cast<double>(leader);
                for (const double h = 1e-4; own > 0;) {
                    own = std::max(0., own - needed * h);
                    other = std::max(0., other - 4.5 * h);
                    room += (other - own) * h;
                    nearest = std::min(nearest, room);
                }
                INFO("gap " << gap << " speed " << v << " leader " << leader << " needs " << needed);
                CHECK(nearest > -0.01);
                if (leader == 0) CHECK(needed == Approx(v * v / (2 * gap)));  // and no more for one who stands
            }
}

TEST_CASE("softening leaves comfortable braking alone and never asks for less than is needed") {
    const Driver d;
    CHECK(soften_emergency(10, 50, 13.89f, 8, 4.5f, d, 1) == 10);
    const float v = soften_emergency(0, 20, 13.89f, 0, 1, d, 1);
    CHECK(v > 0);
    CHECK(13.89f - v >= needed_deceleration(20, 13.89f, 0, 1, 9));
}

TEST_CASE("arrival times agree with driving there") {
    const Driver d;
    CHECK(arrival_time(100, 10, 10, d) == Approx(10));
    for (const float distance : {5.f, 30.f, 200.f})
        for (const auto& [from, to] : {std::pair{5.f, 13.89f}, {13.89f, 5.f}, {0.f, 13.89f}}) {
            double t = 0, x = 0, v = static_cast<double>(from);
            for (const double h = 1e-4; x < static_cast<double>(distance); t += h) {
                const double a = to > from ? 2.6 : -4.5;
                const double target = static_cast<double>(to);
                v = to > from ? std::min(target, v + a * h) : std::max(target, v + a * h);
                x += v * h;
            }
            INFO("from " << from << " to " << to << " over " << distance);
            // One who slows down is taken to do so at the end of the way, or from now on where that is too short.
            if (to > from)
                CHECK(arrival_time(distance, from, to, d) == Approx(t).epsilon(2e-3));
            else
                CHECK(static_cast<double>(arrival_time(distance, from, to, d)) <= t + 1e-3);
        }
}
