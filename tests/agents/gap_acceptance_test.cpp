#include "agents/gap_acceptance.hpp"

#include "tests/support/catch.hpp"

using namespace jamiton;

namespace {

// At the connection from `arrival` to `leave` s at a constant speed; braking would delay it by `delay` s.
Window window(float arrival, float leave, float speed = 10, float delay = 4) {
    Window w;
    w.arrival = arrival;
    w.arrival_braking = arrival + delay;
    w.leave = leave;
    w.arrival_speed = w.leave_speed = speed;
    w.arrival_speed_braking = speed / 2;
    return w;
}

bool crossing_blocked(const Window& own, const Window& foe, float impatience = 0, float timegap = 1) {
    return blocked_by(own, foe, false, impatience, timegap, 4.5f, 4.5f);
}
bool merge_blocked(const Window& own, const Window& foe, float impatience = 0, float timegap = 1) {
    return blocked_by(own, foe, true, impatience, timegap, 4.5f, 4.5f);
}

}  // namespace

TEST_CASE("who is there at the same time blocks") {
    CHECK(crossing_blocked(window(5, 8), window(6, 7)));
    CHECK(crossing_blocked(window(5, 8), window(4, 6)));
    CHECK(crossing_blocked(window(5, 8), window(7, 9)));
    CHECK(merge_blocked(window(5, 8), window(6, 7)));
}

TEST_CASE("who has left before or comes the time gap after does not block a crossing") {
    CHECK_FALSE(crossing_blocked(window(5, 8), window(1, 4.9f)));
    CHECK_FALSE(crossing_blocked(window(5, 8), window(9.1f, 11)));
    CHECK(crossing_blocked(window(5, 8), window(8.9f, 11)));
    CHECK_FALSE(crossing_blocked(window(5, 8), window(8.9f, 11), 0, 0.5f));
    CHECK(crossing_blocked(window(5, 8), window(10.9f, 12), 0, 3));
}

TEST_CASE("two overlapping windows block each other") {
    for (float a = 0; a < 12; a += 0.7f)
        for (float b = 0; b < 12; b += 0.9f) {
            const Window own = window(a, a + 2), foe = window(b, b + 3);
            const bool overlap = a <= b + 3 && b <= a + 2;
            INFO("own from " << a << " foe from " << b);
            CHECK((crossing_blocked(own, foe, 0, 0) && crossing_blocked(foe, own, 0, 0)) == overlap);
        }
}

TEST_CASE("impatience only ever opens gaps") {
    for (const bool merge : {false, true})
        for (float b = 0; b < 12; b += 0.3f) {
            bool before = true;
            for (float impatience = 0; impatience <= 1; impatience += 0.1f) {
                const Window own = window(5, 7), foe = window(b, b + 2);
                const bool now = merge ? merge_blocked(own, foe, impatience) : crossing_blocked(own, foe, impatience);
                INFO("foe from " << b << " impatience " << impatience);
                CHECK((before || !now));
                before = now;
            }
        }
    CHECK(crossing_blocked(window(5, 8), window(7, 9), 0));
    CHECK_FALSE(crossing_blocked(window(5, 8), window(7, 9), 1));  // the foe is made to brake: arrives at 11
}

TEST_CASE("merging before a faster foe or behind a slower one needs more") {
    CHECK_FALSE(merge_blocked(window(5, 8, 10), window(9.5f, 11, 10, 0)));
    CHECK(merge_blocked(window(5, 8, 4), window(9.5f, 11, 14)));  // even when it brakes it is faster
    CHECK(merge_blocked(window(5, 8, 10), window(1, 4.5f, 14)));  // half a second behind it
    CHECK_FALSE(merge_blocked(window(5, 8, 10), window(1, 3.9f, 14)));
    CHECK(merge_blocked(window(5, 8, 14), window(1, 3.9f, 5)));  // slower than I: I would run into it
}

TEST_CASE("stopping distances decide who may merge behind whom") {
    CHECK(unsafe_merge(5, 10, 4.5f, 4.5f));
    CHECK_FALSE(unsafe_merge(10, 5, 4.5f, 4.5f));
    CHECK(unsafe_merge(10, 10, 9, 4.5f));  // it stops shorter than I can
}
