// <vType>: attributes, and the nested elements of old files.
#pragma once

#include "data/unsupported.hpp"
#include "engine/vehicle_type.hpp"

namespace jamiton {

// What a configuration sets for types that say nothing of it; negative: the default of the vehicle class.
struct TypeDefaults {
    double speed_deviation = -1;        // default.speeddev
    double emergency_decel = -1;        // default.emergencydecel, m/s^2
    bool emergency_is_decel = false;    // default.emergencydecel "decel"
    double action_step_length = 0;      // default.action-step-length, s
    bool overtake_right = false;        // lanechange.overtake-right
    std::string car_follow = "Krauss";  // default.carfollowmodel

    bool operator==(const TypeDefaults&) const = default;
};

VehicleType read_vehicle_type(const Element& element, const TypeDefaults& defaults, UnsupportedReport& report);

// <carFollowing-IDM accel="..."/> and <lcModel .../> inside a type: the attributes of old files.
void read_nested_model(const Element& element, VehicleType& type, UnsupportedReport& report);

// Whether SUMO has a model of this name.
bool is_car_follow_model(std::string_view name);

// What every type of this class has under these defaults.
VehicleType default_vehicle_type(VehicleClass c, const TypeDefaults& defaults);

}  // namespace jamiton
