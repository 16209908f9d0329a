// A signal program for a planned junction.
#pragma once

#include <span>

#include "data/right_of_way_table.hpp"

namespace jamiton {

struct SignalTiming {
    double cycle = 90, offset = 0;     // s
    double yellow = 3, clearance = 2;  // s
    double least_green = 8;            // s
};

// Opposite arms have green together, left turns giving way to oncoming traffic; the green time is shared by lanes.
ProgramDescription make_program(std::span<const JunctionLink> links, const RightOfWayTable& table,
                                const SignalTiming& timing);

}  // namespace jamiton
