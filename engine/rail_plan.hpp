// Level crossings and railway signals as kernels read them. They have no programs: trains switch them.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/array.hpp"
#include "engine/network.hpp"

namespace jamiton {

// A lane on the way to a crossing.
struct RailWatch {
    int connection = -1;  // by which trains leave it towards the crossing
    int beyond = -1;      // the watch of the lane that follows, -1: the connection leads over the crossing
    float distance = 0;   // m from the lane end to the crossing
};

struct RailCrossing {
    int signal = -1;
    int watch_begin = 0, watch_count = 0;
    int inside_begin = 0, inside_count = 0;  // lanes of the tracks on the crossing
};

// A link of a railway signal.
struct RailLink {
    int connection = -1;
    int link = -1;  // among all signal links
};

struct RailSignal {
    int signal = -1;
    int link_begin = 0, link_count = 0;
};

struct RailPlan {
    Array<RailCrossing> crossings;
    Array<RailWatch> watches;
    Array<int> inside;
    Array<RailSignal> signals;
    Array<RailLink> links;
    Array<int> crossing_of_signal;  // -1: none
    Array<int> opposite;            // per lane: the same track in the other direction, -1 none. Empty without signals

    std::size_t bytes() const {
        return crossings.bytes() + watches.bytes() + inside.bytes() + signals.bytes() + links.bytes() +
               crossing_of_signal.bytes() + opposite.bytes();
    }
};

// Times of a level crossing, ms: SUMO's.
struct CrossingTimes {
    static constexpr std::int64_t least_green = 5000, yellow = 5000, opening_delay = 3000, opening = 3000;
    static constexpr float warning = 20;  // s before a train comes: 5 s of yellow, 15 s of red
};

// What a signal without programs is: rail_crossing, rail_signal, or other.
SignalType railway_type(const NetworkDescription& description, int signal);

RailPlan build_rail_plan(const NetworkDescription& description, const Network& network);

}  // namespace jamiton
