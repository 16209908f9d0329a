// Zones (SUMO's TAZ) where trips begin and end without naming an edge: on that of the fastest way between them.
#pragma once

#include <string>
#include <vector>

namespace jamiton {

struct Zone {
    std::string id;
    std::vector<int> sources, sinks;  // edges where trips begin and end
    const char* kind = "zone";        // or "junction", in messages
};

// Among the edges over which a trip is to be routed, zone z stands as one behind those of the network.
constexpr int begin_in(int zone, int edge_count) { return edge_count + 2 * zone; }
constexpr int end_in(int zone, int edge_count) { return edge_count + 2 * zone + 1; }

}  // namespace jamiton
