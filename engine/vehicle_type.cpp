#include "engine/vehicle_type.hpp"

namespace jamiton {

namespace {

// Body in m.
void set_size(VehicleType& type, float length, float width, float height) {
    type.length = length;
    type.width = width;
    type.height = height;
}

// Accelerations in m/s^2, top speed in km/h.
void set_motion(VehicleType& type, float accel, float decel, float emergency_decel, float max_speed_kmh) {
    type.accel = accel;
    type.decel = type.apparent_decel = decel;
    type.emergency_decel = emergency_decel;
    type.max_speed = max_speed_kmh / 3.6f;
}

// Trains keep their speed exactly and leave twice the room.
void set_train(VehicleType& type) {
    type.min_gap = 5;
    type.sigma = 0;
}

float speed_spread(VehicleClass c) {
    switch (c) {
        case VehicleClass::taxi:
        case VehicleClass::coach:
        case VehicleClass::delivery:
        case VehicleClass::truck:
        case VehicleClass::trailer: return 0.05f;
        case VehicleClass::emergency:
        case VehicleClass::authority:
        case VehicleClass::army:
        case VehicleClass::bus:
        case VehicleClass::tram:
        case VehicleClass::rail_urban:
        case VehicleClass::rail:
        case VehicleClass::rail_electric:
        case VehicleClass::rail_fast:
        case VehicleClass::ignoring: return 0;
        default: return 0.1f;
    }
}

}  // namespace

VehicleType default_vehicle_type(VehicleClass c) {
    VehicleType type;
    type.vehicle_class = c;
    type.max_speed = 200 / 3.6f;
    type.speed_factor.deviation = speed_spread(c);
    switch (c) {
        case VehicleClass::pedestrian:
            set_size(type, 0.215f, 0.478f, 1.719f);
            set_motion(type, 1.5f, 2, 5, 37.58f);
            type.min_gap = 0.25f;
            type.desired_max_speed = 5 / 3.6f;
            break;
        case VehicleClass::emergency:
        case VehicleClass::delivery: set_size(type, 6.5f, 2.16f, 2.86f); break;
        case VehicleClass::bus:
            set_size(type, 12, 2.5f, 3.4f);
            set_motion(type, 1.2f, 4, 7, 100);
            break;
        case VehicleClass::coach:
            set_size(type, 14, 2.6f, 4);
            set_motion(type, 2, 4, 7, 100);
            break;
        case VehicleClass::truck:
            set_size(type, 7.1f, 2.4f, 2.4f);
            set_motion(type, 1.3f, 4, 7, 130);
            break;
        case VehicleClass::trailer:
            set_size(type, 16.5f, 2.55f, 4);
            set_motion(type, 1.1f, 4, 7, 130);
            break;
        case VehicleClass::motorcycle:
            set_size(type, 2.2f, 0.9f, 1.5f);
            set_motion(type, 6, 10, 10, 200);
            break;
        case VehicleClass::moped:
            set_size(type, 2.1f, 0.78f, 1.7f);
            set_motion(type, 1.1f, 7, 10, 60);
            break;
        case VehicleClass::bicycle:
            set_size(type, 1.6f, 0.65f, 1.7f);
            set_motion(type, 1.2f, 3, 7, 50);
            type.min_gap = 0.5f;
            type.desired_max_speed = 20 / 3.6f;
            break;
        case VehicleClass::tram:
            set_size(type, 22, 2.4f, 3.2f);
            set_motion(type, 1, 3, 7, 80);
            type.sigma = 0;
            break;
        case VehicleClass::rail_urban:
            set_size(type, 109.5f, 3, 3.6f);
            set_motion(type, 1, 3, 7, 100);
            set_train(type);
            break;
        case VehicleClass::rail:
            set_size(type, 135, 2.84f, 3.75f);
            set_motion(type, 0.25f, 1.3f, 5, 160);
            set_train(type);
            break;
        case VehicleClass::rail_electric:
            set_size(type, 200, 2.95f, 3.89f);
            set_motion(type, 0.5f, 1.3f, 5, 220);
            set_train(type);
            break;
        case VehicleClass::rail_fast:
            set_size(type, 200, 2.95f, 3.89f);
            set_motion(type, 0.5f, 1.3f, 5, 330);
            set_train(type);
            break;
        case VehicleClass::ship:
            set_size(type, 17, 4, 4);
            set_motion(type, 0.1f, 0.15f, 1, 4.12371f * 3.6f);  // 8 knots
            type.sigma = 0;
            break;
        default: break;
    }
    return type;
}

}  // namespace jamiton
