// When may a vehicle be put on a lane? The safe-insertion rule: nobody ahead or behind has to brake hard (SUMO's
// documented behaviour).
#pragma once

#include "engine/look_ahead.hpp"
#include "engine/signal_states.hpp"

namespace jamiton {

constexpr int most_per_step = 64;  // entries per edge and step; more wait for the next step

// A place to enter: lane, front position, speed, and whether the speed may be lowered to what is safe.
struct Place {
    int lane = -1;
    float position = 0, speed = 0;
    bool adapt = false;
};

// Who wants to enter.
struct Entrant {
    std::uint32_t vehicle = 0;
    std::uint16_t type = 0, speed_factor = 0;  // as in Trip
    std::uint32_t route_at = 0;                // position of the edge in the route pool
};

// Vehicles that entered the same edge earlier in this step, as indices in the state.
struct Fresh {
    int index[most_per_step];
    int count = 0;
};

struct Entry {
    World w;

    // m from the lane start to the rearmost vehicle's back, the lane's length when it is empty.
    HD float room(int lane, const Fresh& fresh) const {
        float back = w.net.lanes[lane].length;
        const int last = w.now.lane_begin[lane + 1] - 1;
        if (last >= w.now.lane_begin[lane]) back = w.now.kinematics[last].position - w.driver(last).length;
        for (int n = 0; n < fresh.count; ++n) {
            const int f = fresh.index[n];
            if (w.now.kinematics[f].lane == lane) back = min(back, w.now.kinematics[f].position - w.driver(f).length);
        }
        return back;
    }

    // The nearest body ahead of a point of a lane, on that lane.
    HD Leader ahead_of(int lane, float position, const Fresh& fresh) const {
        Leader best = tail_on(w, lane, -position, ~0u);
        const int low = place_on_lane(w, lane, position);
        if (low > w.now.lane_begin[lane])
            best = nearer(best, {low - 1, w.now.kinematics[low - 1].position - w.driver(low - 1).length - position});
        for (int n = 0; n < fresh.count; ++n) {
            const int f = fresh.index[n];
            const Kinematics& k = w.now.kinematics[f];
            if (k.lane == lane && k.position >= position)
                best = nearer(best, {f, k.position - w.driver(f).length - position});
        }
        return best;
    }

    HD bool is_safe(const Entrant& e, Place& place, const Fresh& fresh) const {
        return place.position >= 0 && leaves_room_behind(e, place, fresh) && is_safe_ahead(e, place, fresh);
    }

    // Lowers the speed of the place to a bound if it may be lowered. False: it may not.
    HD static bool lower(Place& place, float bound) {
        if (place.speed <= bound + 0.001f) return true;
        if (!place.adapt) return false;
        place.speed = max(0.f, bound);
        return bound >= 0;
    }

    HD bool is_safe_ahead(const Entrant& e, Place& place, const Fresh& fresh) const {
        const Driver& d = w.demand.drivers[e.type];
        const Leader first = ahead_of(place.lane, place.position, fresh);
        if (first.index >= 0 && !behind(place, d, first)) return false;
        int lane = place.lane;
        std::uint32_t route_at = e.route_at;
        float seen = w.net.lanes[lane].length - place.position;
        const float look = brake_gap(place.speed, d.decel, d.tau, w.method) + d.min_gap + place.speed * w.method.dt;
        while (seen < look) {
            const Lane& l = w.net.lanes[lane];
            if (!l.is_internal() && w.demand.stretch(route_at).last) return true;
            const int connection = w.next_connection(l, route_at);
            if (connection < 0)
                return lower(place, stop_speed_unbounded(seen, place.speed, d.decel, w.method.dt, w.method, true));
            const Connection& c = w.net.connections[connection];
            const char state = w.net.state(c);
            if (is_red(state) || is_yellow(state) || is_minor(state)) {
                if (!lower(place, stop_speed_unbounded(seen, place.speed, d.decel, w.method.dt, w.method, true)))
                    return false;
                return true;
            }
            lane = c.next_lane;
            const Lane& next = w.net.lanes[lane];
            if (!next.is_internal()) ++route_at;
            const float limit = min(
                w.net.speed_limit(next, d.vehicle_class) * (static_cast<float>(e.speed_factor) / 16384), d.max_speed);
            if (!lower(place, max(limit, speed_to_reach(seen, place.speed, limit, d, w.method, true)))) return false;
            const Leader leader = rearmost(w, lane, seen, e.vehicle);
            if (leader.index >= 0 && !behind(place, d, leader)) return false;
            seen += next.length;
        }
        return true;
    }

    HD bool behind(Place& place, const Driver& d, Leader leader) const {
        const float gap = leader.gap - d.min_gap;
        if (gap < 0) return false;
        return lower(place, krauss_follow_speed(d, place.speed, gap, w.now.kinematics[leader.index].speed,
                                                w.driver(leader.index).apparent_decel, w.method, true));
    }

    // Nobody behind may have to brake hard: on the lane, or on its way to it.
    HD bool leaves_room_behind(const Entrant& e, const Place& place, const Fresh& fresh) const {
        const Driver& d = w.demand.drivers[e.type];
        const float back = place.position - d.length;
        const Leader follower = follower_on_lane(w, place.lane, back, place_on_lane(w, place.lane, place.position));
        bool safe = follower.index < 0 || has_room(follower.index, follower.gap, place, d);
        const bool first = place_on_lane(w, place.lane, place.position) == w.now.lane_begin[place.lane + 1];
        if (first && !w.net.lanes[place.lane].is_internal()) safe = safe && leaves_room_before_junction(place, d, back);
        for (int n = 0; n < fresh.count && safe; ++n) {
            const int f = fresh.index[n];
            if (w.now.kinematics[f].lane == place.lane && w.now.kinematics[f].position < place.position)
                safe = has_room(f, back - w.now.kinematics[f].position, place, d);
        }
        return safe;
    }

    // Who comes to the junction behind might come here, wherever its route leads (measured on SUMO).
    HD bool leaves_room_before_junction(const Place& place, const Driver& d, float back) const {
        for (int n = w.net.incoming_begin[place.lane]; n < w.net.incoming_begin[place.lane + 1]; ++n) {
            const Connection& c = w.net.connections[w.net.incoming[n]];
            const int first = w.now.lane_begin[c.from_lane];
            if (first == w.now.lane_begin[c.from_lane + 1]) continue;
            const float way = w.net.lanes[c.from_lane].length - w.now.kinematics[first].position + c.junction_length;
            if (!has_room(first, way + back, place, d)) return false;
        }
        return true;
    }

    HD bool has_room(int f, float gap, const Place& place, const Driver& d) const {
        const Driver& other = w.driver(f);
        return gap - other.min_gap >=
               secure_gap(other, w.now.kinematics[f].speed, place.speed, d.apparent_decel, w.method);
    }
};

}  // namespace jamiton
