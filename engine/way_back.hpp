// The way that a vehicle has come, lane by lane from its front backwards: the lanes under its body and, of a step,
// those that it has passed.
#pragma once

#include "engine/state.hpp"

namespace jamiton {

struct WayBack {
    int lane = -1;
    std::uint32_t route_at = 0;
    bool known = true;  // came_over belongs to the lane of the front only

    // To the lane behind. False: nobody knows what lies there.
    HD bool step(const World& w, const Attributes& a, std::uint32_t route_begin) {
        const int before = lane_behind(w, a, route_begin);
        if (before < 0) return false;
        lane = before;
        known = known && w.net.lanes[lane].is_internal();
        return true;
    }

  private:
    HD int lane_behind(const World& w, const Attributes& a, std::uint32_t route_begin) {
        const Lane& l = w.net.lanes[lane];
        if (l.is_internal()) return w.net.connections[l.entry].from_lane;
        if (known && a.came_over >= 0) {
            while (w.demand.stretch(--route_at).to_stop) {}
            return a.came_over;
        }
        do {
            if (route_at == route_begin) return -1;
        } while (w.demand.stretch(--route_at).to_stop);  // the same edge, before a stop
        const int edge = w.demand.stretch(route_at).edge;
        for (int n = w.net.incoming_begin[lane]; n < w.net.incoming_begin[lane + 1]; ++n) {
            const Connection& c = w.net.connections[w.net.incoming[n]];
            if (w.net.lanes[c.from_lane].edge == edge) return last_lane_of(w, c);
        }
        return -1;
    }

    // The last lane of a connection before its target: internal, or the one it starts from.
    HD static int last_lane_of(const World& w, const Connection& c) {
        int lane = c.from_lane;
        for (int next = c.next_lane; w.net.lanes[next].is_internal();
             next = w.net.connections[w.net.lanes[next].exit].next_lane)
            lane = next;
        return lane;
    }
};

}  // namespace jamiton
