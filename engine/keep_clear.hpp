// Junctions to be kept clear: nobody enters who would have to stand inside, in the way of others.
#pragma once

#include "agents/braking.hpp"
#include "engine/look_ahead.hpp"
#include "engine/signal_states.hpp"

namespace jamiton {

// Whether a vehicle looks no further that has seen this many m of lanes beyond its own one and of its way inside
// junctions. Measured on SUMO.
HD inline bool has_seen_enough(float length, float outside, float inside) {
    return outside > max(5 * length, length + inside);
}

HD inline bool keeps_clear(const Connection& c) {
    return c.has(Connection::crossed) && c.has(Connection::keep_clear) && !c.has(Connection::from_internal);
}

// The connections on the way of a vehicle, one after the other.
struct WayAhead {
    const World& w;
    const float length;  // m of the vehicle
    int lane;            // under consideration
    std::uint32_t route_at;
    float to_end;       // m to its end
    float outside = 0;  // m of lanes beyond its own one
    float inside;       // m in junctions

    HD WayAhead(const World& world, int i)
        : w(world),
          length(w.driver(i).length),
          lane(w.now.kinematics[i].lane),
          route_at(w.now.attributes[i].route_at),
          to_end(w.net.lanes[lane].length - w.now.kinematics[i].position),
          inside(w.net.lanes[lane].is_internal() ? to_end : 0) {}

    // At the end of the lane, nullptr: it arrives or stops before that.
    HD const Connection* next() const {
        const Lane& l = w.net.lanes[lane];
        if (!l.is_internal() && (w.demand.stretch(route_at).last || w.demand.stretch(route_at).to_stop)) return nullptr;
        const int connection = w.next_connection(l, route_at);
        return connection < 0 ? nullptr : &w.net.connections[connection];
    }
    // To the lane beyond the junction.
    HD void pass(const Connection& c) {
        lane = c.to_lane;
        ++route_at;
        to_end += c.junction_length + w.net.lanes[lane].length;
        outside += w.net.lanes[lane].length;
        inside += c.junction_length;
    }
    HD bool is_far(float look) const { return to_end > look && has_seen_enough(length, outside, inside); }
};

// What vehicle i asks before it enters a junction. look: m that it cares about.
struct KeepClear {
    const World& w;
    const int i;
    const float look;

    // Whether somebody beyond connection `asked` stands, or counts on having to, and leaves no room for this vehicle:
    // neither its length and gap behind that one, nor its length before a junction that it would have to stop at.
    // However long it has waited.
    HD bool blocked(const Connection& asked) const {
        const Driver& d = w.driver(i);
        const float waited = static_cast<float>(w.now.attributes[i].waiting) * w.method.dt;
        if (d.jm_ignore_keep_clear >= 0 && waited >= d.jm_ignore_keep_clear) return false;
        WayAhead way(w, i);
        const Connection* c = way.next();
        float room = c == &asked ? -taken_before() : 0;  // m up to the next junction that is kept clear
        for (; c && c != &asked; c = way.next()) way.pass(*c);
        for (; c; c = way.next()) {
            if (c != &asked && c->has(Connection::keep_clear)) {
                if (room >= d.length) return false;
                room = 0;
            }
            room -= taken_inside(*c);
            if (!keeps_clear(*c)) room += c->junction_length;
            bool stands = false;
            room += room_on(c->to_lane, stands);
            if (stands || last_waits(c->to_lane)) return room < d.length + d.min_gap;
            way.pass(*c);
            if (way.is_far(look)) return false;
        }
        return false;
    }

  private:
    // m taken by all before it on its lane.
    HD float taken_before() const { return taken_by(w, w.now.lane_begin[w.now.kinematics[i].lane], i); }

    // m taken by those inside a junction on the way of a connection.
    HD float taken_inside(const Connection& c) const {
        float taken = 0;
        for (int inside = c.next_lane; w.net.lanes[inside].is_internal();
             inside = w.net.connections[w.net.lanes[inside].exit].next_lane)
            taken += taken_by(w, w.now.lane_begin[inside], w.now.lane_begin[inside + 1]);
        return taken;
    }

    // m on a lane up to the rearmost vehicle that stands, or to its end, less what those before take.
    HD float room_on(int exit, bool& stands) const {
        float taken = 0;
        const int begin = w.now.lane_begin[exit];
        for (int f = w.now.lane_begin[exit + 1] - 1; f >= begin; --f) {
            const Driver& other = w.driver(f);
            const float back = w.now.kinematics[f].position - other.length;
            stands = w.now.kinematics[f].speed < 0.1f;
            if (stands) return back - taken;
            taken += other.length + other.min_gap;
        }
        const std::uint64_t tail = w.keys.tail[exit];
        if (tail != no_key && key_vehicle(tail) != w.now.kinematics[i].vehicle) {
            stands = w.now.kinematics[w.now.where[key_vehicle(tail)]].speed < 0.1f;
            if (stands) return key_value(tail) - taken;
        }
        return w.net.lanes[exit].length - taken;
    }

    HD bool last_waits(int exit) const {
        const Leader last = rearmost(w, exit, 0, w.now.kinematics[i].vehicle);
        return last.index >= 0 && (w.now.attributes[last.index].flags & Attributes::waits) != 0;
    }
};

}  // namespace jamiton
