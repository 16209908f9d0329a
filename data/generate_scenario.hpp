// Networks with demand from a few numbers: grids, rings, corridors. Equal options and seed give equal scenarios.
#pragma once

#include <cstdint>

#include "engine/demand_description.hpp"
#include "engine/network_description.hpp"

namespace jamiton {

struct GeneratedScenario {
    NetworkDescription network;
    DemandDescription demand;
};

struct EntryOptions {
    double rate = 3600;  // vehicles/h that enter
    double end = 3600;   // s
    std::uint64_t seed = 42;
};

// Streets both ways; vehicles enter and leave at the borders. Without signals vehicles from the right go first, or, on
// more than one lane, those on the streets from west to east.
struct GridOptions {
    int size = 10;  // junctions per side
    int lanes = 2;
    double spacing = 200;  // m between junctions
    double speed = 13.89;  // m/s
    bool signals = false;
    EntryOptions demand;
};

// A main street with crossings; half of the demand begins and half ends at the ends of the main street. Without signals
// it has priority.
struct CorridorOptions {
    int junctions = 8;
    int lanes = 2, side_lanes = 1;
    double spacing = 250, side_length = 150;   // m
    double speed = 13.89, side_speed = 13.89;  // m/s
    bool signals = false;                      // offset for a green wave from west to east
    EntryOptions demand;
};

// A circular road on which vehicles drive from standstill, evenly spaced, until the end.
struct RingOptions {
    double length = 230;  // m
    int lanes = 1;
    int vehicles = 22;
    double speed = 13.89;  // m/s
    EntryOptions demand;   // its end
};

GeneratedScenario generate_grid(const GridOptions& options);
GeneratedScenario generate_corridor(const CorridorOptions& options);
GeneratedScenario generate_ring(const RingOptions& options);

int most_vehicles(const RingOptions& options);  // that the ring has room for

}  // namespace jamiton
