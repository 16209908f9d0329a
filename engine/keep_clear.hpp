// Junctions to be kept clear: nobody enters who would have to stand inside, in the way of others.
#pragma once

#include "agents/braking.hpp"
#include "engine/look_ahead.hpp"
#include "engine/signal_states.hpp"

namespace jamiton {

constexpr float lengths_ahead = 5;  // of a vehicle: how far it looks beyond a junction at least

HD inline bool keeps_clear(const Connection& c) {
    return c.has(Connection::crossed) && c.has(Connection::keep_clear) && !c.has(Connection::from_internal);
}

// What vehicle i asks before it enters a junction. `seen`, `look`: m from its front to the line, m that it cares about.
struct KeepClear {
    const World& w;
    const int i;
    const float seen, look;

    // Whether somebody beyond the junction stands, or counts on having to, and leaves no room for this vehicle on the
    // lanes that it looks at. An impatient one makes do with 0.1 m less for each second of waiting.
    HD bool blocked(const Connection& entry, std::uint32_t route_at) const {
        const Driver& d = w.driver(i);
        const float waited = static_cast<float>(w.now.attributes[i].waiting) * w.method.dt;
        if (d.jm_ignore_keep_clear >= 0 && waited >= d.jm_ignore_keep_clear) return false;
        const float needed = d.length + d.min_gap - waited / 10;
        float room = 0, ahead = seen, beyond = 0;  // m
        for (const Connection* c = &entry;;) {
            if (keeps_clear(*c)) room -= taken_inside(*c);
            bool stands = false;
            room += room_on(c->to_lane, stands, needed - room);
            if (stands || last_waits(c->to_lane)) return room < needed;
            const float length = w.net.lanes[c->to_lane].length;
            ahead += c->junction_length + length;
            beyond += length;
            const bool looked_far = ahead > look && beyond > lengths_ahead * d.length;
            if (room >= needed || looked_far || w.demand.stretch(++route_at).last) return false;
            const int next = w.next_connection(w.net.lanes[c->to_lane], route_at);
            if (next < 0) return false;
            c = &w.net.connections[next];
        }
    }

  private:
    // m taken by those inside a junction on the way of a connection.
    HD float taken_inside(const Connection& c) const {
        float taken = 0;
        for (int inside = c.next_lane; w.net.lanes[inside].is_internal();
             inside = w.net.connections[w.net.lanes[inside].exit].next_lane)
            for (int f = w.now.lane_begin[inside]; f < w.now.lane_begin[inside + 1]; ++f)
                taken += w.driver(f).length + w.driver(f).min_gap;
        return taken;
    }

    // m on a lane up to the rearmost vehicle that stands, or to its end, less what those before take. Not exact beyond
    // `enough`.
    HD float room_on(int exit, bool& stands, float enough) const {
        float taken = 0;
        const int begin = w.now.lane_begin[exit];
        for (int f = w.now.lane_begin[exit + 1] - 1; f >= begin; --f) {
            const Driver& other = w.driver(f);
            const float back = w.now.kinematics[f].position - other.length;
            stands = w.now.kinematics[f].speed < 0.1f;
            if (stands || back - taken > enough) return back - taken;
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
        return last.index >= 0 && will_wait(last.index);
    }

    // Whether vehicle f has to be ready to stand before a connection on its way: a red one, or one where it gives way.
    HD bool will_wait(int f) const {
        const Kinematics& k = w.now.kinematics[f];
        const Driver& d = w.driver(f);
        const Lane* lane = &w.net.lanes[k.lane];
        std::uint32_t at = w.now.attributes[f].route_at;
        const float fastest = min(k.speed + d.accel * w.method.dt, d.max_speed);
        const float far = fastest * w.method.dt + brake_gap(fastest, d.decel, d.tau, w.method);
        const float braking = brake_gap(k.speed, d.decel, 0, w.method);
        float way = lane->length - k.position,
              normal = lane->is_internal() ? 0 : way;  // m to its end, outside junctions
        for (bool beyond = false;;) {
            if (!lane->is_internal() && (w.demand.stretch(at).last || w.demand.stretch(at).to_stop)) return false;
            const int next = w.next_connection(*lane, at);
            if (next < 0) return false;
            const Connection& c = w.net.connections[next];
            if (way >= braking && may_bar(c, way)) return true;
            if (beyond && way > far && normal > lengths_ahead * d.length) return false;
            lane = &w.net.lanes[c.next_lane];
            way += lane->length;
            if (lane->is_internal()) continue;
            ++at;
            beyond = true;
            normal += lane->length;
        }
    }

    // As it was in the step before, when the vehicle decided.
    HD bool may_bar(const Connection& c, float way) const {
        const char state = w.net.state(c);
        const bool has_changed = c.signal_link >= 0 && w.net.link_since[c.signal_link] == static_cast<int>(w.step);
        if (is_red(state) || is_yellow(state)) return !(has_changed && is_yellow(state));
        if (has_changed) return true;
        return is_minor(state) && (way > c.visibility || !c.has(Connection::waits_inside));
    }
};

}  // namespace jamiton
