#include "engine/lane_change.hpp"

#include "agents/lane_change_motives.hpp"
#include "engine/gap_claims.hpp"
#include "engine/look_ahead.hpp"
#include "engine/roundabout.hpp"

namespace jamiton {
namespace {

constexpr float memory_scale = 4096;  // of Memory::speed_gain and keep_right
constexpr float taken_unit = 1024;    // of lengths taken
constexpr float most_taken = 1e6f;    // m by one vehicle: more is as good as everything
constexpr float densest = 1.2f;       // m at most that vehicles with their gaps take per m of a lane

HD std::int16_t pack_memory(float v) { return static_cast<std::int16_t>(clamp(v, -7.9f, 7.9f) * memory_scale); }
HD std::uint16_t pack_speed(float v) { return static_cast<std::uint16_t>(clamp(v, 0.f, 127.f) * 512 + 0.999f); }

enum class Motive { none, stay, speed_gain, keep_right, strategic, cooperative, around, urgent };

// A neighbouring lane as vehicle i sees it.
struct Neighbour {
    int lane = -1, gap = -1;
    Leader leader, follower;  // gaps bumper to bumper, m
    bool blocked_by_leader = false, blocked_by_follower = false;
    HD bool blocked() const { return blocked_by_leader || blocked_by_follower; }
};

// What a vehicle takes of its lane, 1/1024 m.
struct Take {
    World w;
    int* taken;
    HD void operator()(int i) const {
        taken[i] = static_cast<int>(min(w.driver(i).length + w.driver(i).min_gap, most_taken) * taken_unit);
    }
};

struct Consider {
    World w;
    const int* taken;  // sums of what they take
    LaneChange::Wish* wishes;
    std::uint64_t* claims;
    std::uint32_t* requests;

    // The vehicle under consideration.
    struct Ego {
        int i;
        const Kinematics& k;
        const Driver& d;
        const Lane& lane;
        std::uint32_t route_at;
        LaneChoice here, there;  // what its route says about its lane, and about the one beside it
        float limit;             // m/s, desired on this lane
        float look_speed;        // m/s
        float speed_gain, keep_right;
        Leader leader;
        float advice;               // m/s
        float bound_here;           // m/s behind a slower vehicle on the left
        int asked;                  // 1, -1: someone beside it wants to its lane going left, right
        bool avoids_right = false;  // wants behind a slower vehicle on the left
        bool stuck = false;         // behind one who makes a stop and that it can pass
    };

    HD void operator()(int i) const {
        w.prefetch_route(i);
        wishes[i] = {};
        const Kinematics& k = w.now.kinematics[i];
        const Lane& lane = w.net.lanes[k.lane];
        Memory& m = w.now.memory[i];
        if ((lane.flags & Lane::has_neighbours) == 0) return m.forget_lanes();
        if (w.is_stopped(i)) return;
        const Attributes& a = w.now.attributes[i];
        Ego e{i,
              k,
              w.driver(i),
              lane,
              a.route_at,
              w.choice_at(k.lane, a.route_at),
              {},
              w.desired(i, lane),
              static_cast<float>(m.look_ahead) / 256,
              static_cast<float>(m.speed_gain) / memory_scale,
              static_cast<float>(m.keep_right) / memory_scale,
              {},
              1e9f,
              1e9f,
              (a.flags & Attributes::asked_by_right) != 0  ? 1
              : (a.flags & Attributes::asked_by_left) != 0 ? -1
                                                           : 0};
        e.leader = leader_along_route(w, k.lane, k.position, i, a.route_at, k.vehicle, look(e));
        e.stuck = can_pass_stopped(e, e.leader, e.here);
        unsigned flags = 0;
        const bool done = try_side(e, -1, flags);
        if (!done) try_side(e, 1, flags);
        wishes[i].wanted = static_cast<std::uint8_t>(flags);
        m.look_ahead = static_cast<std::uint16_t>(clamp(e.look_speed, 0.f, 250.f) * 256);
        m.speed_gain = pack_memory(e.speed_gain);
        m.keep_right = pack_memory(e.keep_right);
        if (e.advice < 100) wishes[i].advice = pack_speed(e.advice);
    }

    HD float look(const Ego& e) const {
        return min(brake_gap(max(e.k.speed, e.limit), e.d.decel, e.d.tau, w.method) + e.d.min_gap + e.limit,
                   e.lane.reach);
    }

    // True when it has found a gap on that side.
    HD bool try_side(Ego& e, int side, unsigned& flags) const {
        const int index = e.lane.index + side;
        if (index < 0 || index >= w.net.edges[e.lane.edge].lane_count) return false;
        const Permissions may = side < 0 ? e.lane.change_right : e.lane.change_left;
        if (may == 0 || !permits(may, static_cast<VehicleClass>(e.d.vehicle_class))) return false;
        e.there = w.choice_at(e.k.lane + side, e.route_at);
        if (!e.there.allowed) return false;
        const float slower = look_memory * w.method.dt * (e.look_speed - e.k.speed);
        e.look_speed = e.k.speed > e.look_speed ? e.k.speed : e.look_speed - slower;
        Motive motive = wants_for_route(e, side);
        if (motive == Motive::stay && !e.stuck) return false;
        const Neighbour n = neighbour(e, side);
        if (can_pass_stopped(e, n.leader, e.there)) {  // no use to go there before it has passed that one
            if (motive == Motive::urgent) return false;
        } else if (e.stuck && (side > 0 || passes_right(e)) &&
                   way_past(e, e.leader) < e.there.drivable - e.k.position) {
            motive = Motive::around;
        }
        if (motive == Motive::stay) return false;
        if (motive == Motive::none) motive = wants_speed(e, n, side);
        if (motive == Motive::none) return false;
        flags |= side < 0 ? Attributes::wants_right : Attributes::wants_left;
        if (motive == Motive::urgent) {
            flags |= Attributes::urgent;
            prepare(e, n, side);
        }
        if (n.blocked() || runs_into_junction(e, n)) return false;
        wishes[e.i].gap = n.gap;
        wishes[e.i].direction = side < 0 ? -1 : 1;
        wishes[e.i].to_be_faster = motive == Motive::speed_gain;
        const std::uint64_t rank = motive >= Motive::around ? 0 : 1;
        // Urgent first, then who is ahead, then the smaller number.
        const float behind = max(0.f, e.lane.length - e.k.position);
        atomic_min(&claims[n.gap], (rank << 63) | (make_key(behind, e.k.vehicle) & ~(std::uint64_t{1} << 63)));
        return true;
    }

    // m until it is ahead of this leader.
    HD float way_past(const Ego& e, const Leader& l) const {
        return l.gap + w.driver(l.index).length + e.d.length + e.d.min_gap;
    }

    // Whether this leader makes a stop not far ahead, and can be passed before the vehicle needs that lane.
    HD bool can_pass_stopped(const Ego& e, const Leader& l, const LaneChoice& lane) const {
        if (l.index < 0 || l.gap - e.d.min_gap >= stopped_way || w.now.kinematics[l.index].speed > 0) return false;
        if (!w.is_stopped(l.index)) return false;
        float left = lane.drivable - e.k.position;
        const Stop* stop = w.next_stop(e.i);
        if (stop != nullptr && stop->route_at == e.route_at) left = min(left, stop->end - e.k.position);
        return way_past(e, l) < left;
    }

    // Whether those inside the junction would make it brake harder on that lane than is comfortable.
    HD bool runs_into_junction(const Ego& e, const Neighbour& n) const {
        const Lane& there = w.net.lanes[n.lane];
        int inside = n.lane;
        float way = -e.k.position;
        if (!there.is_internal()) {
            const int connection = w.next_connection(there, e.route_at);
            way += there.length;
            if (connection < 0 || way > look(e)) return false;
            inside = w.net.connections[connection].next_lane;
            if (!w.net.lanes[inside].is_internal()) return false;
        }
        const JunctionLeaders leaders = mind_junction(w, e.i, inside, way, e.limit);
        return leaders.anyone && !can_follow(leaders.speed, e.k.speed, e.d);
    }

    HD Neighbour neighbour(const Ego& e, int side) const {
        Neighbour n;
        n.lane = e.k.lane + side;
        // Side by side at the same place: the one on the right counts as ahead.
        const int place =
            side < 0 ? place_on_lane<true>(w, n.lane, e.k.position) : place_on_lane(w, n.lane, e.k.position);
        n.gap = place + n.lane;  // a lane with m vehicles has m + 1 gaps
        n.leader = leader_along_route(w, n.lane, e.k.position, place, e.route_at, e.k.vehicle, look(e));
        n.follower = follower_on_lane(w, n.lane, e.k.position - e.d.length, place);
        if (n.leader.index >= 0) {
            const float needed = secure_gap(e.d, e.k.speed, w.now.kinematics[n.leader.index].speed,
                                            w.driver(n.leader.index).apparent_decel, w.method) /
                                 e.d.lc_assertive;
            n.blocked_by_leader = n.leader.gap - e.d.min_gap < needed || n.leader.gap < e.d.min_gap;
        }
        if (n.follower.index >= 0) {
            const Driver& f = w.driver(n.follower.index);
            const float needed =
                secure_gap(f, w.now.kinematics[n.follower.index].speed, e.k.speed, e.d.apparent_decel, w.method) /
                e.d.lc_assertive;
            n.blocked_by_follower = n.follower.gap - f.min_gap < needed || n.follower.gap < f.min_gap;
        }
        return n;
    }

    // Whether those ahead on a lane of this edge and on the lanes it leads to, as far as the route goes on without a
    // change, take more than so many m. What is further off need not be looked at once it cannot decide that any more.
    HD bool jams_more_than(const Ego& e, int side, float spare) const {
        int lane = e.k.lane + side, end = place_on_lane(w, lane, e.k.position);
        std::uint32_t route_at = e.route_at, sum = 0;
        const float drivable = (side == 0 ? e.here : w.choice_at(lane, route_at)).drivable;
        for (float way = 0; way < drivable;) {
            const Lane& l = w.net.lanes[lane];
            sum += static_cast<std::uint32_t>(taken[end]) - static_cast<std::uint32_t>(taken[w.now.lane_begin[lane]]);
            if (static_cast<float>(sum) > spare * taken_unit) return true;
            if (!l.is_internal()) way += l.length;
            if (static_cast<float>(sum) / taken_unit + (drivable - way) * densest < spare) return false;
            if (!l.is_internal() && w.demand.stretch(route_at).last) return false;
            const int connection = w.next_connection(l, route_at);
            if (connection < 0) return false;
            lane = w.net.connections[connection].to_lane;
            end = w.now.lane_begin[lane + 1];
            ++route_at;
        }
        return false;
    }

    // What the route asks for: an urgent change, to stay, or nothing.
    HD Motive wants_for_route(const Ego& e, int side) const {
        const float extra = roundabout_way(w, e.i, e.here, e.there, side);
        const float there = e.there.drivable + extra;
        const float left_here = e.here.drivable + extra - e.k.position, left_there = there - e.k.position;
        const int steps = steps_to_best(e);
        const bool to_best = goes_to_best(e, side);
        const float urgent = urgent_way(e.d, e.look_speed, side > 0);
        if (to_best) {
            const float enough = urgent * static_cast<float>(steps);
            if (left_here < enough || jams_more_than(e, e.here.best_offset, left_here - enough)) return Motive::urgent;
        } else if (e.there.best_offset != 0) {  // it has to be possible to come back
            if (steps == 0 && there < turn_lane_way) return Motive::stay;
            if (steps == 0 && side < 0 && e.lane.speed_limit > motorway_speed) return Motive::stay;
            const float needed = urgent * static_cast<float>(steps + 2);
            const float spare = left_there - needed;
            if (spare < 0 || jams_more_than(e, 0, spare) || jams_more_than(e, side, spare)) return Motive::stay;
        }
        if (extra > 0) return side > 0 ? Motive::cooperative : Motive::stay;  // the inner lanes are for who goes far
        if (e.asked == side && (to_best || there > urgent * static_cast<float>(steps + 1))) return Motive::cooperative;
        return Motive::none;
    }

    HD static int steps_to_best(const Ego& e) {
        return e.here.best_offset < 0 ? -e.here.best_offset : e.here.best_offset;
    }

    HD static bool goes_to_best(const Ego& e, int side) { return side * e.here.best_offset > 0; }

    HD float possible_speed(const Ego& e, const Leader& l, float limit, float way) const {
        const bool led = l.index >= 0;
        return lane_speed(e.d, e.k.speed, limit, led, l.gap - e.d.min_gap, led ? w.now.kinematics[l.index].speed : 0,
                          led ? w.driver(l.index).apparent_decel : 1, max(0.f, way), w.method);
    }

    HD bool accelerates(const Leader& l) const {
        return l.index >= 0 && (w.now.attributes[l.index].flags & Attributes::accelerates) != 0;
    }

    HD static bool passes_right(const Ego& e) { return e.k.speed <= congested_speed || e.d.lc_overtake_right > 0; }

    // Nobody overtakes on the right of a slower vehicle outside congestion: a driver goes as fast as a leader on the
    // left, wants to its lane from shortly before it would have to brake, and then falls back behind it.
    HD void stay_behind(Ego& e, const Neighbour& n) const {
        if (n.leader.index < 0) return;
        const float speed = w.now.kinematics[n.leader.index].speed, gap = n.leader.gap - e.d.min_gap;
        const float faster = max(wants_faster(e, n.leader), e.k.speed - speed);
        if (faster <= 0) return;
        const bool beside = n.leader.gap < 0;
        const float least = e.speed_gain > left_threshold(e.d) ? (beside ? speed - help_overtake : 0) : speed;
        const float bound = max(max(least, e.k.speed - e.d.decel * w.method.dt), reachable_behind(e, n.leader, gap));
        if (e.d.lc_cooperative > 0) advise(e, bound);
        e.bound_here = bound;
        e.avoids_right = reachable_behind(e, n.leader, gap - faster * overtake_sight) < bound;
        if (e.avoids_right) e.speed_gain += w.method.dt * faster / max(e.limit, 10.f);
    }

    HD static float left_threshold(const Driver& d) { return gain_threshold / max(d.lc_speed_gain, 0.001f); }
    HD static float right_threshold(const Driver& d) { return left_threshold(d) / d.lc_speed_gain_right; }

    // m/s that this driver would like to be faster than a leader.
    HD float wants_faster(const Ego& e, const Leader& l) const {
        return e.limit - w.desired(l.index, w.net.lanes[w.now.kinematics[l.index].lane]);
    }

    HD float reachable_behind(const Ego& e, const Leader& l, float gap) const {
        return min(min(e.k.speed + e.d.accel * w.method.dt, e.d.max_speed),
                   follow_speed(e.d, e.k.speed, e.limit, gap, w.now.kinematics[l.index].speed,
                                w.driver(l.index).apparent_decel, w.method));
    }

    HD Motive wants_speed(Ego& e, const Neighbour& n, int side) const {
        const float way_there = e.there.drivable, way_here = e.here.drivable;
        if (side > 0 && !passes_right(e)) stay_behind(e, n);
        const float dt = w.method.dt;
        const float limit_there = w.desired(e.i, w.net.lanes[n.lane]);
        // Behind one who speeds up a driver thinks of the next step only.
        const float most = accelerates(e.leader) || accelerates(n.leader) ? e.k.speed + e.d.accel * dt : 1e9f;
        float here = possible_speed(e, e.leader, min(e.limit, most), way_here);
        const float there = possible_speed(e, n.leader, min(limit_there, most), way_there);
        const bool lasts = way_there / max(0.1f, e.k.speed) > 20;
        if (side > 0) here = min(here, e.bound_here);
        if (side < 0) {
            if (e.leader.index >= 0 && !passes_right(e))
                e.speed_gain += dt * max(0.f, wants_faster(e, e.leader)) / max(e.limit, 10.f);
            e.speed_gain = remember_right(e.speed_gain, there, here, dt);
            if (here - 5 / 3.6f <= there && keeps_right(e, n, way_there, dt)) return Motive::keep_right;
            // Inside junctions hardly anybody does: 15 of 740 changes to the right there in a run of SUMO's.
            if (e.speed_gain < -right_threshold(e.d) && lasts && !e.lane.is_internal()) return Motive::speed_gain;
        } else {
            e.speed_gain = remember_left(e.speed_gain, there, here, dt);
            if (e.speed_gain > left_threshold(e.d) && lasts && (there > here || e.avoids_right))
                return Motive::speed_gain;
        }
        if (goes_to_best(e, side) && (side < 0 ? e.speed_gain < 0 : e.speed_gain > 0)) return Motive::strategic;
        return Motive::none;
    }

    // The obligation to keep right grows with the time that one could drive there undisturbed.
    HD bool keeps_right(Ego& e, const Neighbour& n, float way_there, float dt) const {
        const float top = max(e.limit, 0.1f),
                    accepted = 7 * e.limit / max(e.lane.speed_limit, 0.1f) * max(1.f, e.k.speed);
        float free_way = max(0.f, way_there - brake_gap(top, e.d.decel, e.d.tau, w.method));
        float seconds = min(accepted, free_way / top);
        if (e.leader.index >= 0 && !passes_right(e)) {  // it would have to come back before the leader
            const float speed = w.now.kinematics[e.leader.index].speed;
            if (wants_faster(e, e.leader) > 0 && speed < top)
                seconds = min(seconds, max(0.f, e.leader.gap - e.d.min_gap) / (top - speed));
        }
        if (n.leader.index >= 0) {
            const float speed = w.now.kinematics[n.leader.index].speed;
            free_way = max(
                0.f, min(free_way, n.leader.gap - e.d.min_gap -
                                       secure_gap(e.d, top, speed, w.driver(n.leader.index).apparent_decel, w.method)));
            if (speed < top) seconds = min(seconds, free_way / (top - speed));
        }
        e.keep_right -= e.d.lc_keep_right * dt * (seconds / accepted) / keep_right_time;
        return e.keep_right < -1;
    }

    // An urgent change is prepared: the own speed is fitted to the leader there, and the follower there is asked for
    // room.
    HD void prepare(Ego& e, const Neighbour& n, int side) const {
        const int steps = max(1, steps_to_best(e));
        const float left = max(0.f, e.here.drivable - e.k.position);
        const float seconds = max(w.method.dt, left / max(e.look_speed, 0.001f) / static_cast<float>(steps) / 2);
        float blocker = blocker_length(n, side);
        if (steps > 1 && leads_elsewhere(e)) blocker = max(blocker, side < 0 ? reserve_right : reserve_left);
        float planned = min(e.k.speed, safe_stop_speed(max(0.f, left - blocker), e.k.speed, e.d, e.d.decel, w.method));
        const float room = left - blocker - 1 - e.d.min_gap;
        if (blocker > 0 && room > 0)
            e.advice = min(e.advice, max(stop_speed(e.d, e.k.speed, e.limit, room, w.method),
                                         max(0.f, e.k.speed - e.d.decel * w.method.dt)));
        planned = fit_to_leader(e, n, side, seconds, planned, left, blocker);
        if (planned >= 0) ask_follower(e, n, side, seconds, planned);
    }

    // Whether others may drive on from where its lane stops following the route.
    HD bool leads_elsewhere(const Ego& e) const {
        int lane = e.k.lane;
        std::uint32_t route_at = e.route_at;
        for (;;) {
            const Lane& l = w.net.lanes[lane];
            if (!l.is_internal() && w.demand.stretch(route_at).last) return true;
            const int connection = w.next_connection(l, route_at);
            if (connection < 0) return w.net.connection_begin[lane] < w.net.connection_begin[lane + 1];
            lane = w.net.connections[connection].to_lane;
            ++route_at;
        }
    }

    // Advice that only harder braking than comfortable could follow is no advice.
    HD bool can_follow(float advice, float speed, const Driver& d) const {
        return advice >= max(0.f, speed - d.decel * w.method.dt) - 0.001f;
    }

    HD void advise(Ego& e, float speed) const {
        if (can_follow(max(0.f, speed), e.k.speed, e.d)) e.advice = min(e.advice, max(0.f, speed));
    }

    // Someone ahead on the target lane who wants to come over here needs the end of this lane: leave that much room.
    HD float blocker_length(const Neighbour& n, int side) const {
        if (n.leader.index < 0 || !n.blocked_by_leader) return 0;
        const unsigned opposite = side < 0 ? Attributes::wants_left : Attributes::wants_right;
        const unsigned flags = w.now.attributes[n.leader.index].flags;
        if ((flags & opposite) == 0 || (flags & Attributes::urgent) == 0) return 0;
        return w.driver(n.leader.index).length + w.driver(n.leader.index).min_gap;
    }

    // Returns the speed it will have, m/s, or -1 when it will overtake the leader.
    HD float fit_to_leader(Ego& e, const Neighbour& n, int side, float seconds, float planned, float left,
                           float blocker) const {
        if (n.leader.index < 0) return planned;
        const float speed = w.now.kinematics[n.leader.index].speed, decel = w.driver(n.leader.index).apparent_decel;
        // Safe after the next step, in which the leader may slow down a little.
        const float slowed = max(0.f, speed - leader_slows * w.method.dt);
        const float room = n.leader.gap - e.d.min_gap + (slowed - e.k.speed) * w.method.dt;
        const float v = follow_speed(e.d, e.k.speed, e.limit, room, slowed, decel, w.method);
        if (!n.blocked_by_leader) {
            advise(e, v);
            return min(v, planned);
        }
        const float faster = planned - speed;
        const Driver& leader = w.driver(n.leader.index);
        const float overtake = max(0.f, n.leader.gap - e.d.min_gap + leader.length + leader.min_gap + e.d.length +
                                            secure_gap(leader, speed, planned, e.d.decel, w.method));
        const bool forbidden = side > 0 && !passes_right(e);
        const bool space = left - blocker - brake_gap(e.k.speed, e.d.decel, e.d.tau, w.method) >= overtake;
        if (faster > 0.001f && !forbidden && space && faster * seconds > overtake) {
            if (!w.net.lanes[w.now.kinematics[n.leader.index].lane].is_internal())
                ask(n.leader.index, side, speed);  // not to speed up meanwhile
            return -1;
        }
        if (v >= e.k.speed) {
            advise(e, v);
            return planned;
        }
        const float slower = min(e.d.decel, max(fall_behind, (e.k.speed - v) / seconds));
        const float next = min(planned, max(0.f, e.k.speed - slower * w.method.dt));
        advise(e, next);
        return next;
    }

    HD void ask_follower(Ego& e, const Neighbour& n, int side, float seconds, float planned) const {
        const int f = n.follower.index;
        if (f < 0 || !n.blocked() || w.net.lanes[w.now.kinematics[f].lane].is_internal()) return;
        const Driver& d = w.driver(f);
        const float speed = w.now.kinematics[f].speed, dt = w.method.dt, gap = n.follower.gap - d.min_gap;
        if (!n.blocked_by_follower) return ask(f, side, room_speed(f, e, gap, planned, 0));  // there is room: keep it
        if (planned - speed >= help_overtake - 0.004f) {  // also if it does already as asked, in 1/512 m/s
            const float needed = secure_gap(d, speed, planned, e.d.apparent_decel, w.method);
            if ((needed - gap) / seconds < planned - speed) return ask(f, side, planned - help_overtake);
        }
        const float slowed = max(0.f, speed - d.decel * dt), slowed_1s = max(0.f, speed - d.decel);
        const float opening = planned - slowed_1s, gap_1s = gap + opening;
        const float secure = secure_gap(d, slowed_1s, planned, e.d.apparent_decel, w.method);
        if (gap_1s > 0 && gap_1s >= secure) return ask(f, side, room_speed(f, e, gap, planned, slowed));
        if (opening > 0 && opening * seconds > secure - gap_1s + 0.1f) return ask(f, side, slowed);
        if (side < 0 && e.d.lc_overtake_right <= 0 && speed > congested_speed)
            return ask(f, side, max(slowed, help_overtake));
        if (side > 0 && speed > e.k.speed && e.here.drivable > ramp_way)  // on behalf of those who follow
            return ask(f, side, max(slowed, e.k.speed + help_overtake));
        const float help = max(speed, e.k.speed + help_overtake);  // the follower had better overtake: let it
        ask(f, side, help);
        const float overtake =
            gap + e.d.length + e.d.min_gap + d.length + secure_gap(e.d, planned, help, d.decel, w.method);
        advise(e, max(help - overtake / seconds, e.k.speed - e.d.decel * dt));
    }

    // Speed at which the follower is still safe behind the vehicle after its next step, at least `slowest`.
    HD float room_speed(int f, const Ego& e, float gap, float planned, float slowest) const {
        const Driver& d = w.driver(f);
        const float speed = w.now.kinematics[f].speed, dt = w.method.dt;
        const auto behind = [&](float room) {
            const float v = krauss_follow_speed(d, speed, room, planned, e.d.apparent_decel, w.method);
            return max(slowest, min(speed + d.accel * dt, v));
        };
        return behind(gap + (planned - behind(gap + planned * dt)) * dt);
    }

    HD void ask(int f, int side, float speed) const {
        if (w.driver(f).lc_cooperative > 0 && can_follow(speed, w.now.kinematics[f].speed, w.driver(f)))
            atomic_min(&requests[f], 2 * static_cast<std::uint32_t>(pack_speed(speed)) + (side > 0 ? 1 : 0));
    }
};

}  // namespace

bool LaneChange::run(const Exec& exec, const World& world) {
    const int n = world.now.count, gaps = n + world.net.lane_count;
    if (static_cast<int>(wishes_.size()) < n) {
        const auto old = requests_.size();
        wishes_.resize(n * 5 / 4 + 64);
        requests_.resize(n * 5 / 4 + 64);
        for (std::size_t i = old; i < requests_.size(); ++i) requests_[i] = no_request;
    }
    if (static_cast<int>(claims_.size()) < gaps) claims_.resize(gaps * 5 / 4);
    if (static_cast<int>(taken_.size()) <= n) taken_.resize(n * 5 / 4 + 64);
    if (changed_.empty()) changed_.resize(1);
    changed_[0] = 0;
    parallel_for(exec, gaps, ClearClaims{claims_.data()}, 8192);
    parallel_for(exec, n, Take{world, taken_.data()});
    exclusive_scan(exec, n, taken_.data(), taken_.data());
    parallel_for(exec, n, Consider{world, taken_.data(), wishes_.data(), claims_.data(), requests_.data()}, 512);
    parallel_for(exec, n, ApplyClaims{world, wishes_.data(), claims_.data(), requests_.data(), changed_.data()});
    synchronize(exec);
    return changed_[0] > 0;
}

}  // namespace jamiton
