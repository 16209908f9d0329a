#include "engine/network.hpp"

#include <algorithm>
#include <numeric>

#include "engine/core/check.hpp"
#include "engine/junction_conflicts.hpp"

namespace jamiton {
namespace {

void add_lanes(const NetworkDescription& d, Network& n) {
    n.lanes.resize(d.lanes.size());
    for (std::size_t i = 0; i < d.lanes.size(); ++i) {
        const LaneDescription& from = d.lanes[i];
        Lane lane;
        lane.length = from.length;
        lane.speed_limit = from.speed;
        lane.width = from.width;
        lane.edge = from.edge;
        lane.allowed = from.allowed;
        lane.change_left = from.change_left;
        lane.change_right = from.change_right;
        const EdgeDescription& edge = d.edges[from.edge];
        lane.index = static_cast<std::uint8_t>(static_cast<int>(i) - edge.first_lane);
        unsigned flags = 0;
        if (edge.function == EdgeFunction::internal) flags |= Lane::internal;
        if (from.acceleration) flags |= Lane::acceleration;
        if (n.edges[from.edge].class_limits >= 0) flags |= Lane::class_limits;
        if (edge.lane_count > 1) flags |= Lane::has_neighbours;
        lane.flags = static_cast<std::uint8_t>(flags);
        n.lanes[i] = lane;
    }
}

void add_friction(const NetworkDescription& d, Network& n) {
    if (std::ranges::all_of(d.lanes, [](const LaneDescription& lane) { return lane.friction == 1; })) return;
    n.friction.resize(d.lanes.size());
    for (std::size_t i = 0; i < d.lanes.size(); ++i) n.friction[i] = d.lanes[i].friction;
}

void add_edges(const NetworkDescription& d, Network& n) {
    constexpr std::size_t classes = static_cast<std::size_t>(VehicleClass::count);
    std::vector<float> class_speed;
    std::vector<int> row_of_type(d.types.size(), -1);
    for (std::size_t t = 0; t < d.types.size(); ++t) {
        if (d.types[t].speed_of_class.empty()) continue;
        const std::size_t row = class_speed.size();
        row_of_type[t] = static_cast<int>(row / classes);
        class_speed.resize(row + classes, 1e9f);
        for (const auto& [vehicle_class, speed] : d.types[t].speed_of_class)
            class_speed[row + static_cast<std::size_t>(vehicle_class)] = speed;
    }
    n.class_speed = Array<float>(class_speed);
    n.edges.resize(d.edges.size());
    for (std::size_t i = 0; i < d.edges.size(); ++i) {
        const EdgeDescription& from = d.edges[i];
        Edge edge{.first_lane = from.first_lane,
                  .lane_count = from.lane_count,
                  .from = from.from,
                  .to = from.to,
                  .roundabout = from.roundabout};
        if (from.type >= 0) edge.class_limits = row_of_type[from.type];
        if (from.lane_count > 0) edge.length = d.lanes[from.first_lane].length;
        n.edges[i] = edge;
    }
}

void add_signals(const NetworkDescription& d, Network& n) {
    std::vector<int> links(d.signals.size());
    for (std::size_t s = 0; s < d.signals.size(); ++s)
        for (const auto& program : d.signals[s].programs)
            for (const auto& phase : program.phases)
                links[s] = std::max(links[s], static_cast<int>(phase.state.size()));
    for (const ConnectionDescription& c : d.connections)  // signals of railways have no programs
        if (c.signal >= 0) links[c.signal] = std::max(links[c.signal], c.link_index + 1);
    n.signal_link_begin.resize(d.signals.size() + 1);
    for (std::size_t s = 0; s < d.signals.size(); ++s) n.signal_link_begin[s + 1] = n.signal_link_begin[s] + links[s];
}

Connection connection_from(const NetworkDescription& d, const Network& n, const ConnectionDescription& from) {
    Connection c;
    c.from_lane = from.from_lane;
    c.to_lane = from.to_lane;
    c.next_lane = from.via_lane >= 0 ? from.via_lane : from.to_lane;
    c.to_edge = d.lanes[from.to_lane].edge;
    c.visibility = from.visibility;
    c.state = from.state;
    c.direction = from.direction;
    const bool starts_inside = n.lanes[from.from_lane].is_internal();
    c.junction = n.edges[n.lanes[from.from_lane].edge].to;
    if (from.signal >= 0 && from.link_index >= 0 && !starts_inside) {
        c.signal = from.signal;
        c.signal_link = n.signal_link_begin[from.signal] + from.link_index;
    }
    unsigned flags = 0;
    if (from.keep_clear) flags |= Connection::keep_clear;
    if (starts_inside) flags |= Connection::from_internal;
    if (starts_inside && from.via_lane >= 0) flags |= Connection::inside;
    const JunctionType type = d.junctions[c.junction].type;
    const bool track_on_crossing = type == JunctionType::rail_crossing && c.signal < 0 && !starts_inside;
    if (track_on_crossing || (type == JunctionType::rail_signal && c.signal >= 0)) flags |= Connection::ends_block;
    c.flags = static_cast<std::uint16_t>(flags);
    return c;
}

// Orders connections by the lane they start from, in file order within a lane, and joins internal lanes to them.
void add_connections(const NetworkDescription& d, Network& n) {
    const std::size_t count = d.connections.size();
    std::vector<int> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return d.connections[a].from_lane < d.connections[b].from_lane; });
    n.connections.resize(count);
    n.connection_begin.resize(d.lanes.size() + 1);
    n.connection_of_description.resize(count);
    for (std::size_t k = 0; k < count; ++k) {
        const auto& from = d.connections[order[k]];
        n.connection_of_description[order[k]] = static_cast<int>(k);
        n.connections[k] = connection_from(d, n, from);
        ++n.connection_begin[from.from_lane + 1];
        Lane& next = n.lanes[n.connections[k].next_lane];
        if (next.is_internal()) next.entry = static_cast<int>(k);
        Lane& start = n.lanes[from.from_lane];
        if (start.is_internal()) start.exit = static_cast<int>(k);
    }
    for (std::size_t i = 0; i < d.lanes.size(); ++i) n.connection_begin[i + 1] += n.connection_begin[i];
    for (Connection& c : n.connections) {
        if (c.has(Connection::from_internal)) continue;
        const Lane* lane = &n.lanes[c.next_lane];
        for (int hops = 0; lane->is_internal() && hops < 8; ++hops) {
            c.junction_length += lane->length;
            if (lane->exit < 0)
                throw InputError("lane \"" + d.lanes[lane - n.lanes.data()].id +
                                 "\": an internal lane without a connection that leaves it");
            const Connection& out = n.connections[lane->exit];
            if (out.has(Connection::inside)) c.flags |= Connection::waits_inside;
            lane = &n.lanes[out.next_lane];
        }
    }
}

// Connections that end on each lane, those from normal lanes only.
void add_incoming(Network& n) {
    n.incoming_begin.resize(n.lanes.size() + 1);
    const auto counts = [](const Connection& c) { return !c.has(Connection::from_internal); };
    for (const Connection& c : n.connections)
        if (counts(c)) ++n.incoming_begin[c.to_lane + 1];
    for (std::size_t i = 0; i < n.lanes.size(); ++i) n.incoming_begin[i + 1] += n.incoming_begin[i];
    n.incoming.resize(n.incoming_begin[n.lanes.size()]);
    std::vector<int> at(n.incoming_begin.begin(), n.incoming_begin.end());
    for (std::size_t k = 0; k < n.connections.size(); ++k)
        if (counts(n.connections[k])) n.incoming[at[n.connections[k].to_lane]++] = static_cast<int>(k);
}

// Whether a vehicle inside a junction may change between two lanes beside each other: both are as long and lead between
// the same roads, from different lanes, and the one that it comes to has to give way to nobody (measured in SUMO 1.15).
bool may_change_inside(const Network& n, const Lane& from, const Lane& to) {
    const Connection& in = n.connections[from.entry];
    const Connection& other = n.connections[to.entry];
    if (from.length != to.length || in.from_lane == other.from_lane || gives_way_unsignalled(other.state)) return false;
    return n.lanes[in.from_lane].edge == n.lanes[other.from_lane].edge &&
           n.connections[from.exit].to_edge == n.connections[to.exit].to_edge;
}

void forbid_changes_inside(Network& n) {
    for (std::size_t i = 0; i < n.lanes.size(); ++i) {
        Lane& lane = n.lanes[i];
        if (!lane.is_internal()) continue;
        const bool joined = lane.entry >= 0 && lane.exit >= 0;
        const auto may = [&](std::size_t to) {
            return to < n.lanes.size() && n.lanes[to].edge == lane.edge && n.lanes[to].entry >= 0 &&
                   n.lanes[to].exit >= 0 && may_change_inside(n, lane, n.lanes[to]);
        };
        if (!joined || !may(i + 1)) lane.change_left = 0;
        if (!joined || i == 0 || !may(i - 1)) lane.change_right = 0;
    }
}

}  // namespace

Network build_network(const NetworkDescription& description) {
    Network n;
    add_edges(description, n);
    add_lanes(description, n);
    add_friction(description, n);
    add_signals(description, n);
    add_connections(description, n);
    add_incoming(n);
    forbid_changes_inside(n);
    add_junction_conflicts(description, n);
    return n;
}

NetworkView Network::view() const {
    NetworkView v;
    v.lane_count = static_cast<int>(lanes.size());
    v.edge_count = static_cast<int>(edges.size());
    v.connection_count = static_cast<int>(connections.size());
    v.lanes = lanes.data();
    v.edges = edges.data();
    v.connections = connections.data();
    v.connection_begin = connection_begin.data();
    v.incoming_begin = incoming_begin.data();
    v.incoming = incoming.data();
    v.foes = foes.data();
    v.conflicts = conflicts.data();
    v.class_speed = class_speed.data();
    v.friction = friction.data();
    return v;
}

std::size_t Network::bytes() const {
    return lanes.bytes() + edges.bytes() + connections.bytes() + connection_begin.bytes() + incoming_begin.bytes() +
           incoming.bytes() + foes.bytes() + conflicts.bytes() + class_speed.bytes() + friction.bytes();
}

}  // namespace jamiton
