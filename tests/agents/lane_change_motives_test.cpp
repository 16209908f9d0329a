#include "agents/lane_change_motives.hpp"

#include "tests/support/catch.hpp"

using namespace jamiton;

TEST_CASE("a faster left lane is remembered until the threshold is passed") {
    float memory = 0;
    int steps = 0;
    while (memory <= gain_threshold && steps < 1000) {
        memory = remember_left(memory, 13.89f, 12, 1);
        ++steps;
    }
    CHECK(steps == 2);  // (13.89 - 12) / 13.89 = 0.136 a second
    CHECK(remember_left(0, 13.89f, 13.8f, 1) == Approx(0.09 / 13.89).margin(1e-5));
}

TEST_CASE("a slower left lane is forgotten by half a second, an equal one by a fifth") {
    CHECK(remember_left(0.8f, 5, 10, 1) == Approx(0.4));
    CHECK(remember_left(0.8f, 10, 10, 1) == Approx(0.64));
    CHECK(remember_left(-0.3f, 5, 10, 1) == Approx(-0.3));  // what speaks for the right is not touched
}

TEST_CASE("the right lane counts negative and may be 5 km per h slower") {
    CHECK(remember_right(0, 13, 10, 1) == Approx(-3 / 13.0));
    CHECK(remember_right(0, 10, 11, 1) == Approx(0.1));  // slower, but not by much: a little less in favour
    CHECK(remember_right(-0.8f, 8, 13, 1) == Approx(-0.4));
    CHECK(remember_right(0.5f, 8, 13, 1) == Approx(0.5));
}

TEST_CASE("memories fade with time, whatever the step") {
    CHECK(decay(0.5f, 1) == 0.5f);
    CHECK(decay(0.5f, 0.5f) == Approx(0.707107));
    CHECK(decay(0.8f, 2) == Approx(0.64));
    float memory = 0.8f;
    for (int n = 0; n < 4; ++n) memory = remember_left(memory, 5, 10, 0.5f);
    CHECK(memory == Approx(0.8 * 0.25));
}

TEST_CASE("the gain is relative to at least 10 m per s") {
    CHECK(relative_gain(20, 15) == Approx(0.25));
    CHECK(relative_gain(5, 3) == Approx(0.2));
    CHECK(relative_gain(12, 14) < 0);
}

TEST_CASE("a needed change is urgent earlier to the left and at speed") {
    Driver d;
    CHECK(urgent_way(d, 10, false) == Approx(100 + 15));
    CHECK(urgent_way(d, 10, true) == Approx(200 + 15));
    CHECK(urgent_way(d, 0, true) == Approx(15));
    d.lc_strategic = 0.1f;
    CHECK(urgent_way(d, 10, false) == Approx(10 + 15));
}

TEST_CASE("the speed of a lane is that behind its leader or before its end and never above the limit") {
    const Driver d;
    const StepMethod m{1, false};
    CHECK(lane_speed(d, 10, 13.89f, false, 0, 0, 0, 1000, m) == 13.89f);
    CHECK(lane_speed(d, 10, 13.89f, false, 0, 0, 0, 20, m) < 13.89f);
    CHECK(lane_speed(d, 8, 13.89f, true, 8, 8, 4.5f, 1000, m) == Approx(8).margin(0.01));
    CHECK(lane_speed(d, 10, 13.89f, true, 500, 10, 4.5f, 1000, m) == 13.89f);
}
