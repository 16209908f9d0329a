// The road network as kernels read it: built once from a description; afterwards only signal states,
// speed signs and closed lanes change. Every link from lane to lane is a Connection; internal lanes have exactly one
// that leads onto them and one that leaves.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/array.hpp"
#include "engine/core/hd.hpp"
#include "engine/network_description.hpp"

namespace jamiton {

struct Lane {               // 48 bytes
    float length = 0;       // m
    float speed_limit = 0;  // m/s
    float width = 0;        // m
    float reach = 0;        // m that a vehicle on it may look ahead, set by set_reach()
    int edge = -1;
    int entry = -1;          // internal lanes: the connection that leads onto it
    int exit = -1;           // internal lanes: the connection that leaves it
    int conflict_begin = 0;  // internal lanes: conflicts [conflict_begin, conflict_begin + conflict_count)
    Permissions allowed = all_classes;
    std::uint16_t conflict_count = 0;
    std::uint8_t index = 0;  // from the right
    std::uint8_t flags = 0;
    Permissions change_left = all_classes, change_right = all_classes;

    enum Flag : std::uint8_t {
        internal = 1,
        acceleration = 2,
        class_limits = 4,
        has_neighbours = 8,
        has_entry_rules = 16,
        has_rerouter = 32,
        has_calibrator = 64
    };
    HD bool is_internal() const { return (flags & internal) != 0; }
};

struct Edge {
    int first_lane = 0, lane_count = 0;
    int from = -1, to = -1;  // junctions
    int class_limits = -1;   // row of class_speed (times the number of classes), -1: no limits per class
    float length = 0;        // m, of its lanes
    bool roundabout = false;
};

struct Connection {                                    // 64 bytes
    int from_lane = -1, next_lane = -1, to_lane = -1;  // next: the internal lane if there is one, else to
    int foe_begin = 0;                                 // foes [foe_begin, foe_begin + foe_count)
    int signal_link = -1;                              // index into the signals' link states, -1: no signal
    int signal = -1;
    float visibility = 4.5f;    // m before the lane end from which all foes are seen
    float junction_length = 0;  // m over internal lanes to to_lane
    std::uint16_t foe_count = 0;
    std::uint16_t flags = 0;
    char state = 'M';  // without a signal: M m = s w Z as in the net file
    char direction = 's';
    int junction = -1;
    int to_edge = -1;

    enum Flag : std::uint16_t {
        keep_clear = 1,    // do not enter when the exit is blocked
        waits_inside = 2,  // the stop for foes is on the first internal lane, not before it
        inside = 4,        // leads from an internal lane to an internal lane: that stop
        from_internal = 8,
        crossed = 32,     // some foe, or people on foot, cross or merge
        watched = 64,     // somebody has to yield to it, or it to somebody: vehicles register
        ends_block = 128  // track over a railway signal or a level crossing: a block of track ends before it
    };
    HD bool has(Flag f) const { return (flags & f) != 0; }
};

// Whether a connection of this state in the net file has to give way where no signal says otherwise.
constexpr bool gives_way_unsignalled(char state) {
    return state == 'm' || state == '=' || state == 's' || state == 'w' || state == '-';
}

// Another connection whose vehicles meet those of this one.
struct Foe {
    int connection = -1;
    std::uint8_t yield = 0;        // this connection gives way to it
    std::uint8_t same_target = 0;  // both lead to the same lane
};

// Two internal lanes that cross, merge or part, seen from one of them.
struct Conflict {                      // 24 bytes
    int lane = -1;                     // the other internal lane
    float own_begin = 0, own_end = 0;  // m from own lane start: stretch that the other's vehicles sweep
    float foe_begin = 0, foe_end = 0;  // the same on the other lane
    std::uint8_t yield = 0;            // own connection gives way
    std::uint8_t foe_yields = 0;       // the other one does
    std::uint8_t merge = 0;            // both end on the same lane
    std::uint8_t part = 0;             // both begin at the same lane: one way up to own_end
};

// Raw pointers for kernels.
struct NetworkView {
    int lane_count = 0, edge_count = 0, connection_count = 0;
    const Lane* lanes = nullptr;
    const Edge* edges = nullptr;
    const Connection* connections = nullptr;
    const int* connection_begin = nullptr;  // connections are ordered by from_lane: [lane], [lane + 1]
    const int* incoming_begin = nullptr;    // connections whose to_lane is this lane, by index
    const int* incoming = nullptr;
    const Foe* foes = nullptr;
    const Conflict* conflicts = nullptr;
    const float* class_speed = nullptr;  // [row][class], m/s
    const float* friction = nullptr;     // per lane; nullptr where all roads are dry
    const char* link_state = nullptr;    // of this step, per signal link
    const int* link_since = nullptr;     // step in which it became so

    // The limit of this lane for a class, m/s.
    HD float speed_limit(const Lane& lane, int vehicle_class) const {
        if ((lane.flags & Lane::class_limits) == 0) return lane.speed_limit;
        return min(lane.speed_limit,
                   class_speed[edges[lane.edge].class_limits * static_cast<int>(VehicleClass::count) + vehicle_class]);
    }
    HD float friction_of(const Lane& lane) const { return friction != nullptr ? friction[&lane - lanes] : 1; }
    HD char state(const Connection& c) const { return c.signal_link >= 0 ? link_state[c.signal_link] : c.state; }
};

struct Network {
    Array<Lane> lanes;
    Array<Edge> edges;
    Array<Connection> connections;
    Array<int> connection_begin, incoming_begin, incoming;
    Array<Foe> foes;
    Array<Conflict> conflicts;
    Array<float> class_speed, friction;
    Array<int> signal_link_begin;                // per signal and one more: its links among all link states
    std::vector<int> connection_of_description;  // engine index of each connection of the description

    NetworkView view() const;
    std::size_t bytes() const;
};

// Throws InputError when the description contradicts itself. Lanes, edges and signals keep their indices.
Network build_network(const NetworkDescription& description);

}  // namespace jamiton
