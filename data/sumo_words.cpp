#include "data/sumo_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace jamiton {

namespace {

// Names from before SUMO 0.22.
constexpr std::pair<std::string_view, VehicleClass> old_names[] = {{"public_transport", VehicleClass::bus},
                                                                   {"public_emergency", VehicleClass::emergency},
                                                                   {"public_authority", VehicleClass::authority},
                                                                   {"public_army", VehicleClass::army},
                                                                   {"transport", VehicleClass::truck},
                                                                   {"lightrail", VehicleClass::tram},
                                                                   {"cityrail", VehicleClass::rail_urban},
                                                                   {"rail_slow", VehicleClass::rail}};

// Classes of later releases than the one followed here: no vehicle here is of them.
constexpr std::string_view later_names[] = {"container",  "cable_car", "subway", "aircraft",
                                            "wheelchair", "scooter",   "drone"};

std::string class_list() {
    std::string list;
    for (int c = 0; c < static_cast<int>(VehicleClass::count); ++c) {
        if (c > 0) list += ' ';
        list += name_of(static_cast<VehicleClass>(c));
    }
    return list;
}

Permissions class_bit(const Element& element, std::string_view attribute, std::string_view name) {
    if (name == "all") return all_classes;
    if (const auto known = vehicle_class_from_name(name)) return permission(*known);
    for (const auto& [old, c] : old_names) {
        if (name == old) return permission(c);
    }
    if (std::ranges::find(later_names, name) != std::end(later_names)) return 0;
    element.fail(fmt::format("attribute \"{}\" names the vehicle class {}, expected some of: all {}", attribute,
                             quoted(name), class_list()));
}

Permissions listed(const Element& element, std::string_view attribute, std::string_view names) {
    Permissions classes = 0;
    for_each_word(names, " \t\r\n|", [&](std::string_view name) { classes |= class_bit(element, attribute, name); });
    return classes;
}

}  // namespace

Permissions read_permissions(const Element& element, std::string_view allow, std::string_view disallow) {
    const std::string_view allowed = element.text_or(allow, ""), forbidden = element.text_or(disallow, "");
    if (!allowed.empty()) return listed(element, allow, allowed);
    return all_classes & ~(forbidden.empty() ? Permissions{0} : listed(element, disallow, forbidden));
}

Permissions read_classes(const Element& element, std::string_view attribute) {
    const auto names = element.find(attribute);
    return names && !names->empty() ? listed(element, attribute, *names) : all_classes;
}

VehicleClass read_vehicle_class(const Element& element, std::string_view attribute) {
    const auto c = vehicle_class_from_name(element.required(attribute));
    if (!c) element.fail_value(attribute, "one of: " + class_list());
    return *c;
}

double read_position(const Element& element, std::string_view attribute, double fallback, double length,
                     bool friendly) {
    double value = element.number_or(attribute, fallback);
    if (value < 0) value += length;
    if (friendly) value = std::clamp(value, 0.0, length);
    if (value < 0 || value > length) {
        element.fail_value(attribute, fmt::format("a position on the lane, which is {:.2f} m long", length));
    }
    return value;
}

}  // namespace jamiton
