#include "engine/vehicle_type.hpp"

#include "tests/support/catch.hpp"

using namespace jamiton;

TEST_CASE("class names go both ways") {
    for (int i = 0; i < static_cast<int>(VehicleClass::count); ++i) {
        const auto c = static_cast<VehicleClass>(i);
        CHECK(vehicle_class_from_name(name_of(c)) == c);
    }
    CHECK_FALSE(vehicle_class_from_name("car"));
    CHECK(permits(0, VehicleClass::ignoring));
    CHECK_FALSE(permits(permission(VehicleClass::bus), VehicleClass::passenger));
}

// Measured with SUMO 1.15: types that name nothing but their class, asked for over its remote control.
TEST_CASE("the default types are those of SUMO") {
    struct Row {
        VehicleClass c;
        float length, min_gap, width, accel, decel, emergency_decel, max_speed, sigma, deviation;
    };
    constexpr Row rows[] = {
        {VehicleClass::passenger, 5, 2.5f, 1.8f, 2.6f, 4.5f, 9, 55.5556f, 0.5f, 0.1f},
        {VehicleClass::pedestrian, 0.215f, 0.25f, 0.478f, 1.5f, 2, 5, 10.4389f, 0.5f, 0.1f},
        {VehicleClass::emergency, 6.5f, 2.5f, 2.16f, 2.6f, 4.5f, 9, 55.5556f, 0.5f, 0},
        {VehicleClass::taxi, 5, 2.5f, 1.8f, 2.6f, 4.5f, 9, 55.5556f, 0.5f, 0.05f},
        {VehicleClass::bus, 12, 2.5f, 2.5f, 1.2f, 4, 7, 27.7778f, 0.5f, 0},
        {VehicleClass::coach, 14, 2.5f, 2.6f, 2, 4, 7, 27.7778f, 0.5f, 0.05f},
        {VehicleClass::truck, 7.1f, 2.5f, 2.4f, 1.3f, 4, 7, 36.1111f, 0.5f, 0.05f},
        {VehicleClass::trailer, 16.5f, 2.5f, 2.55f, 1.1f, 4, 7, 36.1111f, 0.5f, 0.05f},
        {VehicleClass::motorcycle, 2.2f, 2.5f, 0.9f, 6, 10, 10, 55.5556f, 0.5f, 0.1f},
        {VehicleClass::moped, 2.1f, 2.5f, 0.78f, 1.1f, 7, 10, 16.6667f, 0.5f, 0.1f},
        {VehicleClass::bicycle, 1.6f, 0.5f, 0.65f, 1.2f, 3, 7, 13.8889f, 0.5f, 0.1f},
        {VehicleClass::tram, 22, 2.5f, 2.4f, 1, 3, 7, 22.2222f, 0, 0},
        {VehicleClass::rail_urban, 109.5f, 5, 3, 1, 3, 7, 27.7778f, 0, 0},
        {VehicleClass::rail, 135, 5, 2.84f, 0.25f, 1.3f, 5, 44.4444f, 0, 0},
        {VehicleClass::rail_electric, 200, 5, 2.95f, 0.5f, 1.3f, 5, 61.1111f, 0, 0},
        {VehicleClass::rail_fast, 200, 5, 2.95f, 0.5f, 1.3f, 5, 91.6667f, 0, 0},
        {VehicleClass::ship, 17, 2.5f, 4, 0.1f, 0.15f, 1, 4.12371f, 0, 0.1f},
        {VehicleClass::ignoring, 5, 2.5f, 1.8f, 2.6f, 4.5f, 9, 55.5556f, 0.5f, 0},
    };
    for (const Row& row : rows) {
        INFO(name_of(row.c));
        const VehicleType type = default_vehicle_type(row.c);
        CHECK(type.length == row.length);
        CHECK(type.min_gap == row.min_gap);
        CHECK(type.width == row.width);
        CHECK(type.accel == row.accel);
        CHECK(type.decel == row.decel);
        CHECK(type.apparent_decel == row.decel);
        CHECK(type.emergency_decel == row.emergency_decel);
        CHECK(type.max_speed == Approx(row.max_speed).epsilon(1e-4));
        CHECK(type.sigma == row.sigma);
        CHECK(type.speed_factor.deviation == row.deviation);
        CHECK(type.tau == 1);
    }
}
