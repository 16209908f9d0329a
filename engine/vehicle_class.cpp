#include "engine/vehicle_class.hpp"

#include <array>

namespace jamiton {

namespace {

constexpr std::array<std::string_view, static_cast<int>(VehicleClass::count)> class_names = {
    "private",       "emergency", "authority", "army",     "vip",      "pedestrian", "passenger",
    "hov",           "taxi",      "bus",       "coach",    "delivery", "truck",      "trailer",
    "motorcycle",    "moped",     "bicycle",   "evehicle", "tram",     "rail_urban", "rail",
    "rail_electric", "rail_fast", "ship",      "custom1",  "custom2",  "ignoring"};

}  // namespace

std::optional<VehicleClass> vehicle_class_from_name(std::string_view name) {
    for (std::size_t i = 0; i < class_names.size(); ++i) {
        if (class_names[i] == name) return static_cast<VehicleClass>(i);
    }
    return std::nullopt;
}

std::string_view name_of(VehicleClass c) { return class_names[static_cast<int>(c)]; }

}  // namespace jamiton
