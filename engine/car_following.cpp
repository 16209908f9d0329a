#include "engine/car_following.hpp"

#include "agents/car_following.hpp"
#include "engine/keep_clear.hpp"
#include "engine/look_ahead.hpp"
#include "engine/parking.hpp"
#include "engine/signal_states.hpp"

namespace jamiton {
namespace {

constexpr float register_way = 250;  // m to the end of a further lane where it makes itself known
constexpr int most_approaches = 6;   // connections that one vehicle registers at; it plans to stop before a further one
constexpr float line_gap = 0.1f;     // m before the lane end where there is no line to stop at
constexpr float withdrawal_straight = 0.25f, withdrawal_turning = 0.75f;  // per step, measured on SUMO
constexpr float yellow_decel = 3;  // m/s^2 that a driver uses at least for yellow and red

// Walks along the route of one vehicle, lane by lane, and lowers its speed by what it meets.
struct Planner {
    const World& w;
    const int i;
    const Kinematics& k;
    const Driver& d;
    float v = 0;                 // bound so far, m/s
    float desired = 0;           // on its present lane, m/s
    float fastest = 0;           // in the next step, m/s
    const Lane* lane = nullptr;  // under consideration
    std::uint32_t route_at = 0;  // where on the route that is
    float seen = 0;              // m from its front to the end of that lane
    float look = 0;              // m that it cares about
    float free = 1e9f;           // m from which on a stop, or a leader, asks for nothing in this step
    float braking = 0;           // m to a stop from its present speed
    float doubtful = 1e9f;       // m to a minor connection before which it could still stop
    Approach approaches[most_approaches];
    int count = 0;
    const Connection* passed = nullptr;  // at the end of the lane before
    Approach* entered_by = nullptr;      // the approach by which it comes to the lane under consideration
    int stop_connection = -1;
    bool waits = false;             // counts on standing before a connection
    bool barred = false;            // may not pass one
    float outside = 0, inside = 0;  // m of its way beyond its own lane, and inside junctions, that it has looked at
    const Stop* stop = nullptr;     // planned stop, if it lies ahead
    Situation me;                   // what it remembers
    Leader first;                   // the nearest ahead
    bool led = false;               // somebody is ahead on its present lane

    HD Planner(const World& world, int index)
        : w(world), i(index), k(world.now.kinematics[index]), d(world.driver(index)) {}

    HD float stop_within(float gap, float decel) const {
        return d.model == FollowModel::krauss ? safe_stop_speed(gap, k.speed, d, decel, w.method)
                                              : stop_speed(d, k.speed, desired, gap, w.method, me);
    }

    HD void run() {
        if (w.is_stopped(i)) return;  // v = 0
        stop = w.next_stop(i);
        if (w.driver_states != nullptr) me = w.situation(i);
        lane = &w.net.lanes[k.lane];
        route_at = w.now.attributes[i].route_at;
        desired = w.desired(i, *lane);
        const bool at_stop = w.stop_left(i) > 0, at_waypoint = at_stop && w.present_stop(i).speed > 0;
        if (at_stop && !at_waypoint) ++route_at;  // the stop is over with this step
        fastest = min(k.speed + d.accel * w.method.dt, d.max_speed);
        look = fastest * w.method.dt + brake_gap(fastest, d.decel, d.tau, w.method);
        braking = brake_gap(k.speed, d.decel, 0, w.method);
        if (d.model == FollowModel::krauss) free = look + 1;                       // with all that rounding may do
        if (d.model != FollowModel::krauss) look = max(look, way_to_next_lane());  // they react long before
        look = min(look, lane->reach);
        // A limit that has just come down is reached by comfortable braking.
        const float limit = max(desired, k.speed - d.decel * w.method.dt);
        v = min(fastest, min(limit, free_speed(d, k.speed, limit, w.method, me)));
        if (at_waypoint) v = min(v, w.present_stop(i).speed);
        const Leader leader = leader_on_lane(w, i);
        first = leader;
        led = leader.index >= 0;
        if (led && leader.gap - d.min_gap < free) v = min(v, speed_behind(w, i, desired, leader));
        if (lane->is_internal()) v = min(v, mind_junction(w, i, k.lane, -k.position, desired).speed);
        seen = lane->length - k.position;
        if (lane->is_internal()) inside = seen;
        while (pass_end_of_lane()) {
            if (seen <= look || lane->is_internal()) {
                enter(passed->next_lane);
            } else if (!skip_junction()) {
                break;
            }
        }
    }

    // Beyond its look only who comes to which connection matters, and not to those far off.
    HD bool skip_junction() {
        lane = &w.net.lanes[passed->to_lane];
        if (seen + passed->junction_length + lane->length > register_way) return false;
        ++route_at;
        seen += passed->junction_length + lane->length;
        inside += passed->junction_length;
        outside += lane->length;
        entered_by = nullptr;
        return true;
    }

    // m to where the junction at the end of its lane is behind it.
    HD float way_to_next_lane() const {
        const int connection = w.next_connection(*lane, route_at);
        const float way = lane->length - k.position;
        if (connection < 0) return way;
        const Lane& next = w.net.lanes[w.net.connections[connection].next_lane];
        return next.is_internal() ? way + next.length : way;
    }

    // What the next lane asks for: its limit, and whoever is rearmost on it.
    HD void enter(int next) {
        lane = &w.net.lanes[next];
        v = min(v, approach_speed(d, k.speed, desired, seen, w.desired(i, *lane), w.method, me));
        const Leader leader = rearmost(w, next, seen, k.vehicle);
        if (first.index < 0) first = leader;
        if (leader.index >= 0) {
            const float behind = speed_behind(w, i, desired, leader);
            v = min(v, behind);
            if (entered_by) limit_leave(*entered_by, behind);
        }
        entered_by = nullptr;
        seen += lane->length;
        (lane->is_internal() ? inside : outside) += lane->length;
        if (!lane->is_internal()) ++route_at;
    }

    // Deals with the end of a lane: stop, arrival, dead end, connection. False: nothing beyond it matters.
    HD bool pass_end_of_lane() {
        if (stop && !lane->is_internal() && stop->route_at == route_at) {
            if (stop->speed <= 0) {
                v = min(v, stop_within(max(0.f, seen - lane->length + stop_end(w, i, *stop)), d.decel));
                return false;
            }
            pass_waypoint();
        }
        if (!lane->is_internal() && w.demand.stretch(route_at).to_stop) {  // a waypoint, already dealt with
            ++route_at;
            stop = nullptr;
        }
        if (!lane->is_internal() && w.demand.stretch(route_at).last) return arrive(), false;
        const int connection = w.next_connection(*lane, route_at);
        if (connection < 0) return end_of_way(), false;
        passed = &w.net.connections[connection];
        return pass(*passed, connection);
    }

    // Signal, those inside the junction, room beyond it, right of way. False: it has to be ready to stop there, or
    // looks no further.
    HD bool pass(const Connection& c, int connection) {
        const char state = w.net.state(c);
        const bool violates = violates_signal(c, state);
        if (!violates && (is_red(state) || (is_yellow(state) && seen >= braking))) {
            stop_at(line_offset(d.jm_stopline_gap), max(min(yellow_decel, d.emergency_decel), d.decel));
            if (is_red(state)) stop_connection = connection;
            (is_red(state) ? barred : waits) = true;
            return false;
        }
        JunctionLeaders leaders;
        if (seen <= look && w.net.lanes[c.next_lane].is_internal())
            leaders = mind_junction(w, i, c.next_lane, seen, desired);
        const bool matters = c.has(Connection::watched) || is_minor(state);
        const float to_line = seen - line_offset(gap_at_line(c, state));
        const bool asks = may_ask(c, to_line), slows = seen <= look && v < d.decel && v < fastest;
        if (asks && !matters && !slows && !leaders.anyone && !keeps_clear(c)) return !looked_far();
        const float at_line = to_line < free ? stop_within(max(0.f, to_line), d.decel) : fastest;
        const float pass_speed = v, wait_speed = min(v, at_line);
        v = min(v, max(leaders.speed, at_line));   // whoever is inside asks for no more than a stop at the line
        waits = waits || (slows && v <= at_line);  // so slow that it will hardly pass
        const bool slow = seen >= braking || k.speed < d.decel * w.method.dt;
        if (slow && seen <= look && keeps_clear(c) && KeepClear{w, i, look}.blocked(c)) {
            v = wait_speed;
            barred = true;
            return false;
        }
        if (matters && count == most_approaches) {
            if (seen <= look) v = wait_speed;
            return false;
        }
        if (matters)
            approach(c, connection, state, pass_speed, wait_speed, leaders.anyone, asks);
        else if (!asks)  // not before it is sure to pass an earlier one
            return v = wait_speed, barred = true, false;
        return !looked_far();
    }

    // Beyond a minor connection that it could stop at it asks for nothing, if it could wait for that beyond it.
    HD bool may_ask(const Connection& c, float to_line) const {
        return to_line <= doubtful || c.has(Connection::from_internal);
    }

    // It registers at the end of its lane and of the next one, and further on only where these are short.
    HD bool looked_far() const { return seen > look && has_seen_enough(d.length, outside, inside); }

    // Slows down to the start of the stretch, or drives within it.
    HD void pass_waypoint() {
        const float way = seen - lane->length + stop->start;
        v = min(v, way > 0 ? approach_speed(d, k.speed, desired, way, stop->speed, w.method) : stop->speed);
    }

    // Whether it drives on at a yellow or red light that it could stop at, or has given up stopping at.
    HD bool violates_signal(const Connection& c, char state) {
        if (d.jm_drive_after_red < 0 && d.jm_drive_after_yellow < 0) return false;
        if (c.signal_link < 0) return false;
        const float since =
            static_cast<float>(static_cast<int>(w.step) - w.net.link_since[c.signal_link]) * w.method.dt;
        if (is_yellow(state)) return d.jm_drive_after_red >= 0 || since < d.jm_drive_after_yellow;
        if (!is_red(state) || d.jm_drive_after_red < 0) return false;
        if (since >= d.jm_drive_after_red && seen >= braking) return false;
        if (d.jm_drive_red_speed >= 0)
            v = min(v, approach_speed(d, k.speed, desired, seen, d.jm_drive_red_speed, w.method, me));
        return true;
    }

    // m before the line that it waits at, where it can.
    HD float gap_at_line(const Connection& c, char state) const {
        return min(c.visibility - line_gap, gives_way(c, state) ? line_gap : d.jm_stopline_gap);
    }

    // The lane does not lead on along the route: stops at its very end, where two who want each other's lane can pass.
    HD void end_of_way() {
        v = min(v, stop_within(max(0.f, seen), d.decel));
        stop_connection = Plan::lane_ends;
    }

    // Is ready to stand so many m before the end of the lane.
    HD void stop_at(float offset, float decel) {
        if (seen - offset < free) v = min(v, stop_within(max(0.f, seen - offset), decel));
    }

    HD float line_offset(float wanted) const {
        if (seen >= braking) wanted = min(wanted, seen - braking);
        return max(line_gap, wanted);
    }

    HD void arrive() {
        if (w.demand.choice(route_at, lane->index).best_offset != 0) return end_of_way();  // arrives on another lane
        const Trip& trip = w.demand.trips[k.vehicle];
        if (trip.arrival_speed < 0) return;
        const float way = seen - (lane->length - trip.arrival_pos) - trip.arrival_speed * w.method.dt;
        v = min(v, approach_speed(d, k.speed, desired, way, trip.arrival_speed, w.method, me));
    }

    // Registers at a connection where right of way matters.
    HD void approach(const Connection& c, int connection, char state, float pass_speed, float wait_speed,
                     bool someone_inside, bool asks) {
        const bool minor = state != 'Z' && gives_way(c, state);  // a zipper is merged into at speed
        const bool can_stop = seen >= braking;
        Approach a;
        a.connection = connection;
        a.index = i;
        a.waiting = w.now.attributes[i].waiting;
        a.distance = seen;
        a.wait_speed = wait_speed;
        a.pass_speed = pass_speed;
        // A minor road is approached slowly until all foes are in view; where the stop is inside the junction, there.
        const bool slows_for_view = minor && can_stop && seen > c.visibility && !c.has(Connection::waits_inside);
        times(a, c, pass_speed, slows_for_view);
        unsigned flags = 0;
        const bool leaves_junction = count == 0 && lane->is_internal();
        if ((pass_speed > 0.001f && asks && !withdraws(c)) || leaves_junction) flags |= Approach::request;
        if (is_yellow(state) || is_red(state)) flags |= Approach::ignores_signal;
        if (slows_for_view) flags |= Approach::slows_for_view;
        if (minor) flags |= Approach::gives_way;
        if (can_stop) flags |= Approach::can_stop;
        if (seen > look) flags |= Approach::far;
        a.flags = static_cast<std::uint16_t>(flags);
        entered_by = &approaches[count];
        approaches[count++] = a;
        if (someone_inside) limit_leave(*entered_by, v);
        if (!minor || !can_stop || c.has(Connection::from_internal)) return;
        if (!c.has(Connection::waits_inside) && lane == &w.net.lanes[k.lane]) doubtful = seen;
    }

    // Right before left: who waits in a ring for the others lets them go by chance, so that the ring opens.
    HD bool withdraws(const Connection& c) const {
        if ((w.now.attributes[i].flags & Attributes::caught) == 0 || w.now.attributes[i].waiting == 0) return false;
        return w.chance(i, k.vehicle) < (c.direction == 's' ? withdrawal_straight : withdrawal_turning);
    }

    // Where a left turn waits inside the junction, the link by which it entered says whether it has to: only a green
    // light or a road of its own with priority frees it.
    HD bool gives_way(const Connection& c, char state) const {
        if (!is_minor(state) || !c.has(Connection::inside)) return is_minor(state);
        const char entered = w.net.state(w.net.connections[lane->entry]);
        return entered != 'G' && entered != 'M';
    }

    // When it would arrive at and leave the junction (SUMO's approach information), s from now. It arrives as fast as
    // its lane allows, even where it has to slow down for a turn; behind another one on its lane as fast as it is now.
    HD void times(Approach& a, const Connection& c, float pass_speed, bool slows_for_view) const {
        const bool in_line = led && lane == &w.net.lanes[k.lane] && w.net.state(c) != 'Z';
        float arrival_speed = min(in_line ? pass_speed : speed_after(seen, pass_speed, d.accel), w.desired(i, *lane));
        if (slows_for_view) {
            const float at_view = stop_speed_unbounded(c.visibility, k.speed, d.decel, 0, w.method);
            arrival_speed = min(arrival_speed, speed_after(c.visibility, at_view, d.accel));
        }
        a.arrival_speed = arrival_speed;
        a.arrival = arrival_time(seen, pass_speed, arrival_speed, d);
        a.arrival_speed_braking = 0;
        if (seen < free && seen < brake_gap(pass_speed, d.decel, d.tau, w.method))
            a.arrival_speed_braking = min(arrival_speed, arrival_speed_braking(seen, pass_speed, d.decel, w.method));
        leave(a, min(w.desired(i, w.net.lanes[c.next_lane]),
                     speed_after(w.net.lanes[c.next_lane].length, arrival_speed, d.accel)));
    }

    HD void leave(Approach& a, float speed) const {
        const Lane& next = w.net.lanes[w.net.connections[a.connection].next_lane];
        const float through = next.is_internal() ? next.length : 0;
        a.leave_speed = speed;
        a.leave = a.arrival + (through + d.length) / max((a.arrival_speed + speed) / 2, 0.1f);
    }

    // Who follows or minds somebody beyond the connection counts on no more than the speed that it can have in the next
    // step, and so leaves late: a gap that would do behind an empty junction is not taken close behind another car.
    HD void limit_leave(Approach& a, float behind) const {
        const float next_speed = min(behind, fastest);
        if (next_speed < a.leave_speed) leave(a, max(0.f, next_speed));
    }
};

struct PlanKernel {
    World w;
    Plan* plans;
    HD void operator()(int i) const {
        w.prefetch_route(i);
        if (w.driver(i).action_steps == 1) return plan(w, i);
        World until_next = w;  // its next decision is so far off
        until_next.method.dt *= static_cast<float>(w.driver(i).action_steps);
        plan(until_next, i);
    }

    HD void plan(const World& world, int i) const {
        Planner p(world, i);
        p.run();
        if (w.driver_states != nullptr) remember(p);
        Plan plan{p.v,
                  0,
                  static_cast<std::uint8_t>(p.count),
                  p.waits ? std::uint8_t{1} : std::uint8_t{0},
                  p.barred ? std::uint8_t{1} : std::uint8_t{0},
                  0,
                  0,
                  p.stop_connection};
        if (p.count > 0) {
            plan.first_approach = atomic_add(w.keys.approach_count, p.count);
            if (plan.first_approach + p.count > w.keys.approach_capacity) plan.approach_count = 0;
        }
        for (int n = 0; n < plan.approach_count; ++n) {
            const int at = plan.first_approach + n;
            p.approaches[n].next = atomic_exchange(&w.keys.approach_head[p.approaches[n].connection], at);
            w.keys.approaches[at] = p.approaches[n];
        }
        plans[i] = plan;
    }

    // What the driver will remember after this step; move adds what comes of it.
    HD void remember(const Planner& p) const {
        const bool led = p.first.index >= 0;
        const float gap = led ? p.first.gap - p.d.min_gap : 1e6f;
        const RandomWords r = draw(w.seed, p.k.vehicle, w.step, Purpose::action);
        const float normal[3] = {nearly_normal(r.word[1]), nearly_normal(r.word[2]), nearly_normal(r.word[3])};
        w.next_driver_states[p.k.vehicle] =
            next_driver_state(p.d, p.me.own, p.k.speed, p.desired, gap, normal, w.method.dt);
    }
};

}  // namespace

void plan(const Exec& exec, const World& world, Plan* plans) {
    parallel_for(exec, world.now.count, PlanKernel{world, plans}, 512);
}

}  // namespace jamiton
