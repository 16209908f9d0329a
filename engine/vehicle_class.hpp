// SUMO's vehicle classes and the bit masks that lanes and connections permit.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace jamiton {

enum class VehicleClass : std::uint8_t {
    private_,
    emergency,
    authority,
    army,
    vip,
    pedestrian,
    passenger,
    hov,
    taxi,
    bus,
    coach,
    delivery,
    truck,
    trailer,
    motorcycle,
    moped,
    bicycle,
    evehicle,
    tram,
    rail_urban,
    rail,
    rail_electric,
    rail_fast,
    ship,
    custom1,
    custom2,
    ignoring,  // drives anywhere, SUMO's `ignoring`
    count
};

// One bit per class: bit n is VehicleClass n.
using Permissions = std::uint32_t;

constexpr Permissions permission(VehicleClass c) { return Permissions{1} << static_cast<int>(c); }
constexpr Permissions all_classes = (Permissions{1} << static_cast<int>(VehicleClass::count)) - 1;
constexpr bool permits(Permissions p, VehicleClass c) {
    return c == VehicleClass::ignoring || (p & permission(c)) != 0;
}

// The class of this SUMO name ("private", "rail_urban", ...; "ignoring" too), or nothing when there is no such class.
std::optional<VehicleClass> vehicle_class_from_name(std::string_view name);
std::string_view name_of(VehicleClass c);

}  // namespace jamiton
