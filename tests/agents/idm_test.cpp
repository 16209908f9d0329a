#include "agents/idm.hpp"

#include <cmath>

#include "agents/car_following.hpp"
#include "tests/support/catch.hpp"

using namespace jamiton;

namespace {

constexpr float nobody = 1e6f;  // m, gap without a leader
constexpr float limit = 13.89f;

Driver idm_driver() {
    Driver d;
    d.model = FollowModel::idm;
    return d;
}

// Gap at which speed and leader stay as they are, bumper to bumper.
double equilibrium_gap(double v, double desired, const Driver& d) {
    return (static_cast<double>(d.min_gap) + v * static_cast<double>(d.tau)) / std::sqrt(1 - std::pow(v / desired, 4));
}

}  // namespace

TEST_CASE("IDM keeps its speed at the equilibrium gap") {
    const Driver d = idm_driver();
    for (const float v : {2.f, 5.f, 8.f, 12.f})
        CHECK(idm_speed(d, v, limit,
                        static_cast<float>(equilibrium_gap(static_cast<double>(v), static_cast<double>(limit), d)), v,
                        d.min_gap, 1) == Approx(v).margin(1e-4));
}

TEST_CASE("IDM settles at the measured gap of 8.63 m behind 8 m per s") {
    const Driver d = idm_driver();
    float gap = 60, v = limit;  // less min_gap
    for (int n = 0; n < 300; ++n) {
        v = follow_speed(d, v, limit, gap, 8, d.decel, {1, false});
        gap += 8 - v;
        REQUIRE(gap > 0);
    }
    CHECK(v == Approx(8).margin(0.001));
    CHECK(gap == Approx(8.63).margin(0.01));
}

TEST_CASE("IDM starts as measured") {  // ../shared/tiny/idm_slow_leader: maxSpeed 8, nobody ahead
    const Driver d = idm_driver();
    float v = 0;
    for (const double expected : {2.5972, 5.0725, 6.8983, 7.7100, 7.9358, 7.9865, 7.9972, 7.9994}) {
        v = idm_speed(d, v, 8, nobody, 8, 0, 1);
        CHECK(v == Approx(expected).margin(0.0005));
    }
}

TEST_CASE("IDM approaches its differential equation as steps get short") {
    Driver d = idm_driver();
    double exact = 0;
    for (const double h = 1e-5; true;) {
        for (int n = 0; n < 500000; ++n) exact += h * 2.6 * (1 - std::pow(exact / static_cast<double>(limit), 4));
        break;
    }
    double error[2] = {};
    for (int k = 0; k < 2; ++k) {
        d.stepping = k == 0 ? 0.25f : 0.025f;
        float v = 0;
        for (int n = 0; n < 5; ++n) v = idm_speed(d, v, limit, nobody, limit, 0, 1);
        error[k] = std::abs(static_cast<double>(v) - exact);
    }
    CHECK(error[1] < error[0] / 5);
    CHECK(error[1] < 0.02);
}

TEST_CASE("IDM brakes for a standing leader and does not touch it") {
    const Driver d = idm_driver();
    float gap = 120, v = limit;
    for (int n = 0; n < 200; ++n) {
        v = follow_speed(d, v, limit, gap, 0, d.decel, {1, false});
        gap -= v;
    }
    CHECK(gap > -d.min_gap);
    CHECK(v < 0.1f);
}

TEST_CASE("whole powers are products") {
    CHECK(whole_power(1.5f, 4) == 1.5f * 1.5f * 1.5f * 1.5f);
    CHECK(whole_power(3, 1) == 3);
    CHECK(whole_power(7, 0) == 1);
}
