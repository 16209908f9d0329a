// Level crossings and railway signals: what they see of the trains.
#pragma once

#include "agents/braking.hpp"
#include "engine/core/parallel.hpp"
#include "engine/look_ahead.hpp"
#include "engine/rail_plan.hpp"
#include "engine/signal_changes.hpp"
#include "engine/signal_states.hpp"

namespace jamiton {

struct RailView {
    const RailCrossing* crossings = nullptr;
    const RailWatch* watches = nullptr;
    const int* inside = nullptr;
    const RailSignal* signals = nullptr;
    const RailLink* links = nullptr;
    const int* crossing_of_signal = nullptr;
    const int* opposite = nullptr;
    std::uint64_t* reserved = nullptr;  // per lane: who may enter it, see reservation()
    std::uint32_t* holders = nullptr;   // per link: the last train that had green, no_train
};

HD inline bool is_occupied(const World& w, int lane) {
    return w.now.lane_begin[lane] != w.now.lane_begin[lane + 1] || w.keys.tail[lane] != no_key;
}

// --- Level crossings -----------------------------------------------------------------------------------------------

// Whether train i drives on from this watched lane over the crossing, and no signal stops it before.
HD inline bool leads_over(const World& w, const RailView& rail, int watch, int i) {
    std::uint32_t route_at = w.now.attributes[i].route_at;
    for (; watch >= 0; watch = rail.watches[watch].beyond) {
        const Connection& c = w.net.connections[rail.watches[watch].connection];
        const Lane& lane = w.net.lanes[c.from_lane];
        if (!lane.is_internal() && w.demand.stretch(route_at).last) return false;
        if (w.next_connection(lane, route_at) != rail.watches[watch].connection || is_red(w.net.state(c))) return false;
        if (!w.net.lanes[c.next_lane].is_internal()) ++route_at;
    }
    return true;
}

// A train is on the crossing or comes within `warning` seconds.
HD inline bool train_comes(const World& w, const RailView& rail, const RailCrossing& crossing, float warning) {
    for (int n = crossing.inside_begin; n < crossing.inside_begin + crossing.inside_count; ++n)
        if (is_occupied(w, rail.inside[n])) return true;
    for (int n = crossing.watch_begin; n < crossing.watch_begin + crossing.watch_count; ++n) {
        const int lane = w.net.connections[rail.watches[n].connection].from_lane;
        for (int i = w.now.lane_begin[lane]; i < w.now.lane_begin[lane + 1]; ++i) {
            const Kinematics& k = w.now.kinematics[i];
            const Driver& d = w.driver(i);
            const float way = w.net.lanes[lane].length - k.position + rail.watches[n].distance;
            const float fastest = min(w.desired(i, w.net.lanes[lane]), speed_after(way, k.speed, d.accel));
            if (arrival_time(way, k.speed, fastest, d) <= warning && !w.is_stopped(i) && leads_over(w, rail, n, i))
                return true;
        }
    }
    return false;
}

// --- Railway signals -----------------------------------------------------------------------------------------------

constexpr std::uint32_t no_train = 0xFFFFFFFF, no_route = 0xFFFFFFFF;

// Claims on a lane of a block: the smallest of a step wins. Later steps first, so that none needs clearing; then the
// nearest train, then the smallest number.
HD inline std::uint64_t reservation(std::uint32_t step, float distance, std::uint32_t vehicle) {
    const auto metres = static_cast<std::uint64_t>(min(max(distance, 0.f), 65535.f));
    return (std::uint64_t{0xFFFFFF - (step & 0xFFFFFF)} << 40) | (metres << 24) | (vehicle & 0xFFFFFF);
}

// The train that comes to a link next, -1: none that could have to brake for it.
HD inline int next_train(const World& w, int connection) {
    const Connection& c = w.net.connections[connection];
    const int i = w.now.lane_begin[c.from_lane];
    if (i == w.now.lane_begin[c.from_lane + 1] || w.is_stopped(i)) return -1;
    const std::uint32_t route_at = w.now.attributes[i].route_at;
    if (w.demand.stretch(route_at).last || w.next_connection(w.net.lanes[c.from_lane], route_at) != connection)
        return -1;
    return i;
}

HD inline float way_to(const World& w, int i) {
    return w.net.lanes[w.now.kinematics[i].lane].length - w.now.kinematics[i].position;
}

// Calls visit(lane) for the lanes behind a connection, on the way of a train (route_at: its place on the route where
// the connection begins; no_route: straight on) up to the next signal or crossing, where the track is used in both
// directions up to its end. visit returns false to end the walk.
template <class Visit>
HD void walk_block(const World& w, const RailView& rail, int connection, std::uint32_t route_at, Visit&& visit) {
    constexpr int most_lanes = 256;
    for (int n = 0; n < most_lanes; ++n) {
        const int lane = w.net.connections[connection].next_lane;
        if (!visit(lane)) return;
        const Lane& l = w.net.lanes[lane];
        if (l.is_internal()) {
            connection = l.exit;
            continue;
        }
        if (route_at != no_route) {
            if (w.demand.stretch(++route_at).last) return;
            connection = w.next_connection(l, route_at);
            if (connection < 0) return;
        } else {
            connection = w.net.connection_begin[lane];
            if (connection == w.net.connection_begin[lane + 1]) return;
        }
        if (w.net.connections[connection].has(Connection::ends_block) && rail.opposite[lane] < 0) return;
    }
}

// The same for what is left of the block that train i is in.
template <class Visit>
HD void walk_on(const World& w, const RailView& rail, int i, Visit&& visit) {
    const int lane = w.now.kinematics[i].lane;
    const std::uint32_t route_at = w.now.attributes[i].route_at;
    const Lane& l = w.net.lanes[lane];
    if (!l.is_internal() && w.demand.stretch(route_at).last) return;
    const int connection = w.next_connection(l, route_at);
    if (connection < 0) return;
    const bool ends = w.net.connections[connection].has(Connection::ends_block);
    if (!ends || rail.opposite[lane] >= 0) walk_block(w, rail, connection, route_at, visit);
}

// Sets the links of railway signals.
void advance_rail_signals(const Exec& exec, const World& world, const RailView& rail, const RailPlan& plan,
                          char* link_state, const SignalChanges& changes);

}  // namespace jamiton
