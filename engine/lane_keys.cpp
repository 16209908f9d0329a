#include "engine/lane_keys.hpp"

#include "agents/braking.hpp"
#include "engine/way_back.hpp"

namespace jamiton {
namespace {

struct PushTails {
    World w;
    HD void operator()(int i) const {
        const Kinematics& k = w.now.kinematics[i];
        float back = k.position - w.driver(i).length;
        if (back >= 0) return;
        const Attributes& a = w.now.attributes[i];
        WayBack way{k.lane, a.route_at};
        while (back < 0 && way.step(w, a, w.demand.trips[k.vehicle].route_begin)) {
            back += w.net.lanes[way.lane].length;
            atomic_min(&w.keys.tail[way.lane], make_key(back, k.vehicle));
        }
    }
};

struct PushIncoming {
    World w;
    bool of_changed;

    // Whether that place, way m ahead, lies beyond any doubt further off than its look: most do, and this is soon
    // known.
    HD bool is_far_from(float way, float fastest, const Driver& d) const {
        return (way - 1 - fastest * (w.method.dt + d.tau)) * 2 * d.decel > fastest * fastest;
    }

    HD void operator()(int i) const {
        if (of_changed && (w.now.attributes[i].flags & Attributes::changed) == 0) return;
        w.prefetch_route(i);
        const Kinematics& k = w.now.kinematics[i];
        const Driver& d = w.driver(i);
        const Lane* lane = &w.net.lanes[k.lane];
        const float fastest = min(k.speed + d.accel * w.method.dt, d.max_speed);
        if (is_far_from(lane->length - k.position, fastest, d)) return;
        const float look = min(fastest * w.method.dt + brake_gap(fastest, d.decel, d.tau, w.method), lane->reach);
        std::uint32_t route_at = w.now.attributes[i].route_at;
        for (float seen = lane->length - k.position; seen <= look; seen += lane->length) {
            if (!lane->is_internal() && w.demand.stretch(route_at).to_stop) ++route_at;
            if (!lane->is_internal() && w.demand.stretch(route_at).last) return;
            const int connection = w.next_connection(*lane, route_at);
            if (connection < 0) return;
            const int next = w.net.connections[connection].next_lane;
            lane = &w.net.lanes[next];
            if (lane->is_internal()) continue;
            ++route_at;
            atomic_min(&w.keys.incoming[next], make_key(seen, k.vehicle));
        }
    }
};

}  // namespace

void push_tails(const Exec& exec, const World& world) { parallel_for(exec, world.now.count, PushTails{world}); }

void push_incoming(const Exec& exec, const World& world) {
    parallel_for(exec, world.now.count, PushIncoming{world, false});
}

void push_incoming_of_changed(const Exec& exec, const World& world) {
    parallel_for(exec, world.now.count, PushIncoming{world, true});
}

}  // namespace jamiton
