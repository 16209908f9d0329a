// Small networks made by hand: edges of a few lanes, and connections over internal lanes of their own.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/network.hpp"

namespace jamiton {

class NetBuilder {
public:
    NetBuilder() { net_.sources = {"hand.net.xml"}; }

    // Returns the index of the edge. Junctions come into being as they are named.
    int edge(const std::string& id, const std::string& from, const std::string& to, float length, float speed = 13.89f, int lanes = 1) {
        const int first = add_lanes(id, length, speed, lanes);
        net_.edges.push_back({.id = id, .name = {}, .from = junction(from), .to = junction(to), .first_lane = first, .lane_count = lanes, .source = {}});
        net_.has_internal_lanes = true;
        return static_cast<int>(net_.edges.size()) - 1;
    }

    LaneDescription& lane(int edge, int index) { return net_.lanes[static_cast<std::size_t>(net_.edges[static_cast<std::size_t>(edge)].first_lane + index)]; }

    // From lane to lane through the junction. All edges must be there already.
    void connect(int from, int from_lane, int to, int to_lane, char state = 'M', float inside = 5, Permissions allowed = all_classes) {
        const EdgeDescription& start = net_.edges[static_cast<std::size_t>(from)];
        const int from_index = start.first_lane + from_lane, to_index = net_.edges[static_cast<std::size_t>(to)].first_lane + to_lane;
        const int at = start.to;
        const std::string id = ":" + net_.junctions[static_cast<std::size_t>(at)].id + "_" + std::to_string(net_.edges.size());
        const int via = add_lanes(id, inside, 13.89f, 1);
        net_.edges.push_back({.id = id, .name = {}, .from = at, .to = at, .function = EdgeFunction::internal, .first_lane = via, .lane_count = 1, .source = {}});
        ConnectionDescription onto, off;
        onto.from_lane = from_index;
        onto.via_lane = off.from_lane = via;
        onto.to_lane = off.to_lane = to_index;
        onto.state = state;
        onto.allowed = allowed;
        net_.connections.push_back(onto);
        net_.connections.push_back(off);
    }

    // Lane k to lane k for as many as both have.
    void connect_all(int from, int to, char state = 'M') {
        const int lanes = std::min(net_.edges[static_cast<std::size_t>(from)].lane_count, net_.edges[static_cast<std::size_t>(to)].lane_count);
        for (int k = 0; k < lanes; ++k) connect(from, k, to, k, state);
    }

    // These edges form a roundabout.
    void ring(const std::vector<int>& edges) {
        for (int e : edges) net_.edges[static_cast<std::size_t>(e)].roundabout = true;
    }

    const NetworkDescription& description() const { return net_; }
    Network build() const { return build_network(net_); }

private:
    int add_lanes(const std::string& id, float length, float speed, int lanes) {
        const int first = static_cast<int>(net_.lanes.size());
        for (int k = 0; k < lanes; ++k) {
            LaneDescription lane;
            lane.id = id + "_" + std::to_string(k);
            lane.edge = static_cast<int>(net_.edges.size());
            lane.length = length;
            lane.speed = speed;
            net_.lanes.push_back(lane);
        }
        return first;
    }

    int junction(const std::string& id) {
        const auto [place, fresh] = junctions_.try_emplace(id, static_cast<int>(net_.junctions.size()));
        if (fresh) {
            net_.junctions.emplace_back();
            net_.junctions.back().id = id;
            net_.junctions.back().type = JunctionType::unregulated;
        }
        return place->second;
    }

    NetworkDescription net_;
    std::map<std::string, int> junctions_;
};

}  // namespace jamiton
