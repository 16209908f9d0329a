// Roundabouts of several lanes: who has a long way to drive in one uses its inner lanes, as far as these are free.
// Measured on SUMO 1.15.
#pragma once

#include "engine/look_ahead.hpp"

namespace jamiton {

namespace roundabout {

constexpr float seems_longer = 9;       // times its way in the roundabout by which a lane seems to lead further
constexpr float ring_sight = 300;       // m to the end of the shorter lane within which it does
constexpr float space_per_edge = 7.5f;  // m for one vehicle on each edge of the roundabout

// What lies on a lane and its continuations up to the exit from the roundabout.
struct Way {
    float taken = 0;  // m by vehicles with their gaps
    int edges = 0;    // of the roundabout
};

HD inline float taken_on(const World& w, int lane) {
    return taken_by(w, w.now.lane_begin[lane], w.now.lane_begin[lane + 1]);
}

// From a lane of its edge; what is on that edge counts by the share of it that is left to vehicle i, and not at all
// where that is inside a junction.
HD inline Way way_to_exit(const World& w, int i, int lane) {
    const Kinematics& k = w.now.kinematics[i];
    std::uint32_t route_at = w.now.attributes[i].route_at;
    Way way;
    const Lane& first = w.net.lanes[lane];
    if (!first.is_internal())
        way.taken = taken_on(w, lane) * max(0.f, 1 - k.position / first.length);
    else if (w.net.edges[w.demand.stretch(route_at).edge].roundabout)
        way.edges = 1;
    for (;;) {
        const Lane& l = w.net.lanes[lane];
        if (!l.is_internal()) {
            if (w.net.edges[l.edge].roundabout) ++way.edges;
            if (w.demand.stretch(route_at).last) return way;
        }
        const int connection = w.next_connection(l, route_at);
        if (connection < 0) return way;
        const Connection& c = w.net.connections[connection];
        if (way.edges > 0 && !w.net.edges[c.to_edge].roundabout) return way;
        lane = c.next_lane;
        if (!w.net.lanes[lane].is_internal()) ++route_at;
        way.taken += taken_on(w, lane);
    }
}

}  // namespace roundabout

// m by which vehicle i thinks that its lane and the one on that side lead further, if both lead into a roundabout where
// it has far to go: the less, the fuller the inner of the two is.
HD inline float roundabout_way(const World& w, int i, const LaneChoice& here, const LaneChoice& there, int side) {
    using namespace roundabout;
    const int decimetres = min(static_cast<int>(here.roundabout), static_cast<int>(there.roundabout));
    const int outer = w.now.kinematics[i].lane + min(side, 0);
    const float shorter = min(here.drivable, there.drivable) - w.now.kinematics[i].position;
    if (decimetres == 0 || shorter > ring_sight) return 0;
    const Way out = way_to_exit(w, i, outer), in = way_to_exit(w, i, outer + 1);
    if (out.taken == 0 && in.taken == 0) return 0;
    const float space = space_per_edge * static_cast<float>(max(out.edges, in.edges));
    const float open = (space + out.taken - in.taken) / (space + max(out.taken, in.taken));
    const float way = static_cast<float>(decimetres) / 10;
    return max(0.f, open) * max(0.f, w.driver(i).lc_cooperative_roundabout) * seems_longer * way;
}

}  // namespace jamiton
