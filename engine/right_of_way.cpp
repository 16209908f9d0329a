#include "engine/right_of_way.hpp"

#include "agents/car_following.hpp"
#include "agents/gap_acceptance.hpp"
#include "engine/keep_clear.hpp"
#include "engine/signal_states.hpp"

namespace jamiton {
namespace {

constexpr float crossing_margin = 0.1f;  // m beyond the line
constexpr float zipper_sight = 100;      // m before a zipper from which the others are made room for
constexpr float zipper_decel = 0.29f, zipper_decel_beside = 0.74f;  // measured share of the decel used for that
constexpr int largest_ring = 5;                                     // equals that wait for each other

struct Decide {
    World w;
    Plan* plans;

    HD void operator()(int i) const {
        Plan& plan = plans[i];
        const Approach* minor = nullptr;  // the last minor connection that it may pass
        const Approach* entry = nullptr;  // of the last junction beyond which it does not fit
        for (int n = 0; n < plan.approach_count; ++n) {
            const Approach& a = w.keys.approaches[plan.first_approach + n];
            const Connection& c = w.net.connections[a.connection];
            const bool in_view = (a.flags & Approach::slows_for_view) == 0, counts = !c.has(Connection::from_internal);
            if ((a.flags & Approach::far) != 0) {  // nothing is decided yet
                if (in_view) continue;
                plan.waits |= counts;
                break;
            }
            const bool open = may_pass(i, a, c);
            if (open && in_view) {
                if (w.net.state(c) == 'Z') plan.speed = min(plan.speed, zip(i, a, c));
                if ((a.flags & Approach::gives_way) != 0 && !c.has(Connection::waits_inside)) minor = &a;
                if (!c.has(Connection::from_internal)) entry = leaves_no_room(i, a, c) ? &a : nullptr;
                continue;
            }
            const bool barred = !open && (a.flags & Approach::request) != 0;
            const bool behind = entry != nullptr && c.from_lane == w.net.connections[entry->connection].to_lane;
            plan.speed = barred && behind ? entry->wait_speed : a.wait_speed;
            plan.waits |= open && counts;
            plan.barred |= !open;
            plan.caught = plan.speed <= 0.1f && w.net.state(c) == '=' && waits_for<largest_ring>(a, a.connection);
            break;
        }
        if (minor != nullptr) plan.least = pack(pass_at_once(i, *minor, plan.speed));
    }

    // Whether it would reach back into a junction that is to be kept clear if it stood at the end of the next lane.
    HD bool leaves_no_room(int i, const Approach& a, const Connection& c) const {
        return (a.flags & Approach::can_stop) != 0 && keeps_clear(c) &&
               w.net.lanes[c.to_lane].length < w.driver(i).length;
    }

    // A minor connection in view is passed within this step, without dawdling, or else a stop before it has to remain
    // possible. Returns the least speed, m/s.
    HD float pass_at_once(int i, const Approach& a, float& speed) const {
        const Driver& d = w.driver(i);
        const float now = w.now.kinematics[i].speed, dt = w.method.dt;
        const float least = min(min((a.distance + crossing_margin) / dt, a.pass_speed), now + d.accel * dt);
        if (speed >= least) return least;
        if ((a.flags & Approach::can_stop) != 0 && speed < now) {
            const float stop = stop_speed_unbounded(a.distance, now, d.decel, dt, w.method);
            speed = min(speed, max(now - d.decel * dt, stop));
        }
        return 0;
    }

    HD static std::uint16_t pack(float speed) { return static_cast<std::uint16_t>(clamp(speed, 0.f, 127.f) * 512); }

    HD bool may_pass(int i, const Approach& a, const Connection& c) const {
        if ((a.flags & Approach::request) == 0) return false;
        if ((a.flags & Approach::ignores_signal) != 0) return true;
        const char state = w.net.state(c);
        if (state == 'Z' || c.has(Connection::waits_inside) || (a.flags & Approach::gives_way) == 0) return true;
        if (must_stop(state) && a.waiting == 0) return false;
        for (int n = c.foe_begin; n < c.foe_begin + c.foe_count; ++n) {
            const Foe& foe = w.net.foes[n];
            if (!foe.yield) continue;
            if (is_red(w.net.state(w.net.connections[foe.connection]))) continue;
            if (blocked_by_any(i, a, state, foe)) return false;
        }
        return true;
    }

    HD float impatience(const Driver& d, const Approach& a) const {
        float grown = d.impatience;
        if (w.time_to_impatience > 0) grown += static_cast<float>(a.waiting) * w.method.dt / w.time_to_impatience;
        return clamp(grown, 0.f, 1.f);
    }

    HD GapDemand wanted_gap(int i, const Approach& a, const Driver& foe) const {
        const Driver& d = w.driver(i);
        return {impatience(d, a), d.jm_timegap_minor, d.decel, foe.decel, w.method.dt};
    }

    HD bool blocked_by_any(int i, const Approach& a, char state, const Foe& foe) const {
        for (int at = w.keys.approach_head[foe.connection]; at >= 0; at = w.keys.approaches[at].next) {
            const Approach& f = w.keys.approaches[at];
            if (f.index == i || (f.flags & Approach::request) == 0 || ignores(i, f.index)) continue;
            if (state == 'w' && stood_longer(a, f)) continue;
            if (blocked_by(window(a), window(f), foe.same_target != 0, wanted_gap(i, a, w.driver(f.index))))
                return true;
        }
        return false;
    }

    // Takes no notice of a foe, by chance and if that is slow.
    HD bool ignores(int i, int foe) const {
        const Driver& d = w.driver(i);
        if (d.jm_ignore_foe_prob <= 0 || w.now.kinematics[foe].speed > d.jm_ignore_foe_speed) return false;
        return w.chance(i, w.now.kinematics[foe].vehicle) < d.jm_ignore_foe_prob;
    }

    HD std::uint32_t number(const Approach& a) const { return w.now.kinematics[a.index].vehicle; }

    // All-way stop: who has stood longer goes first, then who arrives first.
    HD bool stood_longer(const Approach& a, const Approach& f) const {
        if (a.waiting != f.waiting) return a.waiting > f.waiting;
        return f.waiting > 0 ? number(a) < number(f) : a.arrival < f.arrival;
    }

    // Right before left: whether those who keep it waiting wait in turn for the connection home, even if nobody there
    // asks to go at present, in a ring of at most so many. Without a rule four cars at four equal arms wait for ever.
    template <int ring>
    HD bool waits_for(const Approach& a, int home) const {
        const Connection& c = w.net.connections[a.connection];
        for (int n = c.foe_begin; n < c.foe_begin + c.foe_count; ++n) {
            const Foe& foe = w.net.foes[n];
            if (!foe.yield) continue;
            if (foe.connection == home) return true;
            if constexpr (ring > 1) {
                for (int at = w.keys.approach_head[foe.connection]; at >= 0; at = w.keys.approaches[at].next)
                    if (meets(a, w.keys.approaches[at]) && waits_for<ring - 1>(w.keys.approaches[at], home))
                        return true;
            }
        }
        return false;
    }

    // Whether both would be inside the junction at once.
    HD static bool meets(const Approach& a, const Approach& f) {
        return f.index != a.index && (f.flags & Approach::request) != 0 && f.arrival <= a.leave && a.arrival <= f.leave;
    }

    HD static Window window(const Approach& a) {
        return {a.arrival, a.leave, a.arrival_speed, a.leave_speed, a.arrival_speed_braking, a.distance};
    }

    // Zipper: who arrives first leads; the other follows it from far as if it were on its own lane already, but does
    // not brake hard for the room.
    HD float zip(int i, const Approach& a, const Connection& c) const {
        float v = 1e9f;
        if (a.distance > zipper_sight) return v;
        const Driver& d = w.driver(i);
        const float speed = w.now.kinematics[i].speed;
        for (int n = c.foe_begin; n < c.foe_begin + c.foe_count; ++n) {
            const Foe& foe = w.net.foes[n];
            if (!foe.same_target) continue;
            for (int at = w.keys.approach_head[foe.connection]; at >= 0; at = w.keys.approaches[at].next) {
                const Approach& f = w.keys.approaches[at];
                if (f.arrival > a.arrival || (f.arrival == a.arrival && number(f) > number(a))) continue;
                const float gap = a.distance - f.distance - w.driver(f.index).length - d.min_gap;
                const float behind = krauss_follow_speed(d, speed, gap, w.now.kinematics[f.index].speed,
                                                         w.driver(f.index).apparent_decel, w.method);
                const float softly = speed - (gap < 0 ? zipper_decel_beside : zipper_decel) * d.decel * w.method.dt;
                v = min(v, max(0.f, max(behind, softly)));
            }
        }
        return v;
    }
};

}  // namespace

void decide(const Exec& exec, const World& world, Plan* plans) {
    parallel_for(exec, world.now.count, Decide{world, plans}, 512);
}

}  // namespace jamiton
