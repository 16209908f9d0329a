// Words that several SUMO files share.
#pragma once

#include "data/xml_reader.hpp"
#include "engine/vehicle_class.hpp"

namespace jamiton {

// Classes that this lane, connection or stop offset is open to, from a list that allows or one that forbids.
Permissions read_permissions(const Element& element, std::string_view allow, std::string_view disallow);
// The classes that the attribute lists; all of them when it is not there or says "all".
Permissions read_classes(const Element& element, std::string_view attribute);
// The class that the attribute names.
VehicleClass read_vehicle_class(const Element& element, std::string_view attribute);
// m from the start of a lane of this length; negative ones count from its end. Friendly ones are moved onto the lane.
double read_position(const Element& element, std::string_view attribute, double fallback, double length, bool friendly);

}  // namespace jamiton
