#include "agents/gap_acceptance.hpp"

#include <cmath>

#include "tests/support/catch.hpp"

using namespace jamiton;

namespace {

// At the connection from `arrival` to `leave` s at a constant speed.
Window window(float arrival, float leave, float speed = 10) {
    Window w;
    w.arrival = arrival;
    w.leave = leave;
    w.arrival_speed = w.leave_speed = speed;
    w.distance = speed * arrival;
    return w;
}

bool crossing_blocked(const Window& own, const Window& foe, float impatience = 0, float timegap = 1) {
    return blocked_by(own, foe, false, {impatience, timegap});
}
bool merge_blocked(const Window& own, const Window& foe, float impatience = 0, float timegap = 1) {
    return blocked_by(own, foe, true, {impatience, timegap});
}

// The shortest time, s, to a foe at this speed that a standing car takes as a gap. It arrives after 0.04 s and leaves
// at leave_speed after `leave` s.
float critical_gap(bool merge, float leave, float leave_speed, float foe_speed, float impatience) {
    Window own = window(0.04f, leave, leave_speed);
    for (float t = 0.5f; t < 20; t += 0.01f) {
        const Window foe = window(t, t + 2, foe_speed);
        if (!(merge ? merge_blocked(own, foe, impatience) : crossing_blocked(own, foe, impatience))) return t;
    }
    return 20;
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

// SUMO 1.15: a standing car, crossing 20.8 m or turning right over 8.8 m at 5.06 m/s; foes at 13.89 m/s.
TEST_CASE("impatience opens crossing gaps as measured") {
    const struct {
        float impatience, gap;
    } rows[] = {{0, 4.88f}, {0.1f, 4.84f}, {0.2f, 4.68f}, {0.3f, 4.19f}, {0.5f, 2.13f}, {0.7f, 1.25f}};
    for (const auto& row : rows) {
        INFO("impatience " << row.impatience);
        CHECK(critical_gap(false, 3.88f, 10.7f, 13.89f, row.impatience) == Approx(row.gap).margin(0.03));
    }
}

TEST_CASE("a slow car merges only before a foe that impatience makes slow enough") {
    const struct {
        float impatience, gap;
    } rows[] = {{0, 4.6f},      {0.12f, 11.21f}, {0.15f, 8.96f}, {0.2f, 6.74f},
                {0.25f, 5.22f}, {0.3f, 4.19f},   {0.5f, 2.13f}};
    for (const auto& row : rows) {
        INFO("impatience " << row.impatience);
        CHECK(critical_gap(true, 3.59f, 5.06f, 13.89f, row.impatience) == Approx(row.gap).margin(0.06));
    }
    CHECK(critical_gap(true, 3.59f, 5.06f, 13.89f, 0.05f) == 20);
    CHECK(critical_gap(true, 3.59f, 5.06f, 10, 0.2f) == Approx(4.3f).margin(0.06));
}

TEST_CASE("a foe that is made to brake arrives later and slower, or stops") {
    const Window foe = window(5, 7);
    const ForcedArrival a = forced_arrival(foe, 2, 1, 1);  // 30 m left from then on, at 10 m/s
    CHECK(a.speed == Approx(std::sqrt(100 - 2 * 30.f)));
    CHECK(a.time == Approx(2 + 10 - std::sqrt(40.f)));
    CHECK(forced_arrival(foe, 2, 4, 1).time == foe.arrival + 30);
    CHECK(forced_arrival(foe, 6, 4, 1).time == 5);  // it is there first
}

TEST_CASE("merging behind a slower foe needs more") {
    CHECK_FALSE(merge_blocked(window(5, 8, 10), window(9.5f, 11, 10)));
    CHECK(merge_blocked(window(5, 8, 10), window(1, 4.5f, 14)));  // half a second behind it
    CHECK_FALSE(merge_blocked(window(5, 8, 10), window(1, 3.9f, 14)));
    CHECK(merge_blocked(window(5, 8, 14), window(1, 3.9f, 5)));  // slower than I: I would run into it
}

TEST_CASE("stopping distances decide who may merge behind whom") {
    CHECK(unsafe_merge(5, 10, 4.5f, 4.5f));
    CHECK_FALSE(unsafe_merge(10, 5, 4.5f, 4.5f));
    CHECK(unsafe_merge(10, 10, 9, 4.5f));  // it stops shorter than I can
}
