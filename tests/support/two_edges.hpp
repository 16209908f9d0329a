// The smallest network with a signal: edge ab with two lanes, then bc, over the signal b.
#pragma once

#include "engine/network_description.hpp"

namespace jamiton {

inline NetworkDescription two_edges() {
    NetworkDescription network;
    network.sources = {"two_edges"};
    for (const char* id : {"a", "b", "c"}) {
        JunctionDescription junction;
        junction.id = id;
        network.junctions.push_back(junction);
    }
    const auto add_edge = [&](const char* id, int from, int to, int lanes) {
        EdgeDescription edge;
        edge.id = id;
        edge.from = from;
        edge.to = to;
        edge.first_lane = static_cast<int>(network.lanes.size());
        edge.lane_count = lanes;
        for (int i = 0; i < lanes; ++i) {
            LaneDescription lane;
            lane.id = std::string(id) + "_" + std::to_string(i);
            lane.edge = static_cast<int>(network.edges.size());
            lane.length = 200;
            lane.speed = 13.89f;
            network.lanes.push_back(lane);
        }
        network.edges.push_back(edge);
    };
    add_edge("ab", 0, 1, 2);
    add_edge("bc", 1, 2, 1);
    ProgramDescription program;
    program.id = "0";
    program.phases.resize(1);
    program.phases[0].duration = 30;
    program.phases[0].state = "GG";
    network.signals.push_back({"b", {program}});
    for (int lane : {0, 1}) {
        ConnectionDescription connection;
        connection.from_lane = lane;
        connection.to_lane = 2;
        connection.signal = 0;
        connection.link_index = lane;
        network.connections.push_back(connection);
    }
    return network;
}

}  // namespace jamiton
