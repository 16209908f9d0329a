#include "engine/motion.hpp"

#include "agents/car_following.hpp"
#include "engine/core/random.hpp"
#include "engine/observation.hpp"
#include "engine/parking.hpp"
#include "engine/signal_states.hpp"

namespace jamiton {
namespace {

constexpr float arrival_margin = 0.1f;  // m, as SUMO
constexpr float standing_speed = 0.1f;  // m/s

struct Move {
    World w;
    const Plan* plans;

    HD void operator()(int i) const {
        Kinematics& k = w.now.kinematics[i];
        Attributes& a = w.now.attributes[i];
        Memory& m = w.now.memory[i];
        float way = 0;
        const bool at_stop = keep_stop(i);
        float driven_speed = at_stop ? 0 : next_speed(i, way);
        if (w.driver_states != nullptr) remember(i, driven_speed, way);
        set_flags(a, k.speed, driven_speed, plans[i]);
        k.speed = max(0.f, driven_speed);
        m.advice = Memory::no_advice;
        k.position += way;
        if (!(k.position >= 0 && k.position < 1e9f && k.speed >= 0)) w.error.set(KernelError::not_finite, k.vehicle);
        pass_lanes(i);
        if (!at_stop) account(i, driven_speed);
    }

    HD static void set_flags(Attributes& a, float speed, float next, const Plan& plan) {
        unsigned flags =
            a.flags & ~(Attributes::changed | Attributes::accelerates | Attributes::waits | Attributes::caught);
        if (next > speed) flags |= Attributes::accelerates;
        const bool brakes = plan.speed < speed || plan.speed < standing_speed;
        if (plan.waits || (plan.barred && brakes)) flags |= Attributes::waits;
        if (plan.caught) flags |= Attributes::caught;
        a.flags = static_cast<std::uint16_t>(flags);
    }

    // Counts down a planned stop, or begins one where the vehicle has come to stand in its place. True: it stands there
    // in this step.
    HD bool keep_stop(int i) const {
        Attributes& a = w.now.attributes[i];
        if ((a.flags & Attributes::has_stops) == 0) return false;
        const Kinematics& k = w.now.kinematics[i];
        const Trip& trip = w.demand.trips[k.vehicle];
        StopProgress& p = w.demand.stop_progress[trip.stop_begin];
        if (p.left > 0 && is_over(k, w.demand.stops[trip.stop_begin + p.done], p)) {
            if (w.demand.stops[trip.stop_begin + p.done].speed <= 0) go_on(a);
            if (p.lot >= 0) w.parking.holder[p.lot] = -1;
            p.lot = -1;
            if (++p.done == trip.stop_count) {
                a.flags = static_cast<std::uint16_t>(a.flags & ~Attributes::has_stops);
                return false;
            }
        }
        const Stop& stop = w.demand.stops[trip.stop_begin + p.done];
        if (p.left == 0) {
            if (!is_reached(i, stop)) return false;
            if (stop.parking || stop.area >= 0) {
                const bool full = stop.area >= 0 && free_lot(w, i, stop) < 0;
                if (!full) w.parking.found[1 + atomic_add(w.parking.found, 1)] = i;
                return !full;
            }
            p.left = max(max(stop.speed > 0 ? 0 : stop.duration, stop.until - static_cast<std::int32_t>(w.step)), 1);
            if (stop.speed > 0) go_on(a);
            if (a.waiting > 0) w.end_waiting(i);
            a.waiting = 0;
        }
        ++p.steps;
        if (stop.speed > 0) return false;
        if (stop.place >= 0)
            atomic_min(&w.keys.place_back_next[stop.place], make_key(k.position - w.driver(i).length, k.vehicle));
        return true;
    }

    // One step less. A waypoint lasts to the end of its stretch and until its time.
    HD static bool is_over(const Kinematics& k, const Stop& stop, StopProgress& p) {
        if (stop.speed > 0 && p.left == 1 && k.lane == stop.lane && k.position < stop.end) return false;
        return --p.left == 0;
    }

    HD bool is_reached(int i, const Stop& stop) const {
        const Kinematics& k = w.now.kinematics[i];
        if (stop.lane != k.lane || stop.route_at != w.now.attributes[i].route_at) return false;
        if (stop.speed > 0) return k.position >= stop.start - 0.1f;
        return plans[i].speed <= 0.1f && k.position >= stop.start - 0.1f && w.fits_at_stop(i, stop);
    }

    // From the way to a stop to the way from it.
    HD void go_on(Attributes& a) const {
        ++a.route_at;
        if (w.demand.stretch(a.route_at).last) a.flags |= Attributes::on_last_edge;
    }

    // Keeps what plan has made of the driver's memory, and holds back who has not yet noticed that it may start.
    HD void remember(int i, float& driven_speed, float& way) const {
        const Kinematics& k = w.now.kinematics[i];
        const Driver& d = w.driver(i);
        DriverState state = w.next_driver_states[k.vehicle];
        const bool starts = k.speed < 0.1f && w.now.attributes[i].waiting > 0 && driven_speed > 0.001f;
        if (d.startup_delay > 0 && starts) {
            const float share = clamp((state.startup + w.method.dt - d.startup_delay) / w.method.dt, 0.f, 1.f);
            driven_speed *= share;
            way *= share;
            state.startup += w.method.dt;
        } else {
            state.startup = 0;
        }
        state.acceleration = (driven_speed - k.speed) / w.method.dt;
        w.driver_states[k.vehicle] = state;
    }

    // Speed after the step, below zero where a ballistic step ends after the stop, and the way driven in it, m.
    HD float next_speed(int i, float& way) const {
        const Kinematics& k = w.now.kinematics[i];
        const Driver& d = w.driver(i);
        if (!w.decides(i)) return drive(k, k.speed + w.driver_states[k.vehicle].acceleration * w.method.dt, way);
        const float dt = w.method.dt * static_cast<float>(d.action_steps), planned = plans[i].speed;
        const float comfortable = w.method.ballistic ? k.speed - d.decel * dt : max(0.f, k.speed - d.decel * dt);
        const float hardest =
            w.method.ballistic ? k.speed - d.emergency_decel * dt : max(0.f, k.speed - d.emergency_decel * dt);
        const float lowest = min(comfortable, max(planned, hardest));
        float v = max(lowest, min(planned, min(k.speed + d.accel * dt, d.max_speed)));
        const float sigma = imperfection(d, k);
        if (sigma > 0) {
            const RandomWords r = draw(w.seed, k.vehicle, w.step, Purpose::dawdle);
            v = max(lowest, krauss_dawdle(v, sigma, d.accel, dt, uniform(r.word[0])));
            v = max(v, min(planned, static_cast<float>(plans[i].least) / 512));
        }
        if (w.now.memory[i].advice != Memory::no_advice)
            v = max(lowest, min(v, static_cast<float>(w.now.memory[i].advice) / 512));
        return drive(k, k.speed + (v - k.speed) / static_cast<float>(d.action_steps), way);
    }

    HD float imperfection(const Driver& d, const Kinematics& k) const {
        if (d.model != FollowModel::krauss && d.model != FollowModel::krauss_original) return 0;
        if (d.jm_sigma_minor < 0) return d.sigma;
        const Lane& lane = w.net.lanes[k.lane];
        return lane.is_internal() && is_minor(w.net.state(w.net.connections[lane.entry])) ? d.jm_sigma_minor : d.sigma;
    }

    // Integrates one step to speed v.
    HD float drive(const Kinematics& k, float v, float& way) const {
        const float dt = w.method.dt;
        if (!w.method.ballistic) {
            v = max(0.f, v);
            way = v * dt;
            return v;
        }
        if (v < 0) {  // stands before the step is over
            way = k.speed * k.speed / (2 * (k.speed - v) / dt);
            return v;
        }
        way = (k.speed + v) / 2 * dt;
        return v;
    }

    // Carries the vehicle over lane ends until it is on its lane, arrives, or stops dead at a line.
    HD void pass_lanes(int i) const {
        Kinematics& k = w.now.kinematics[i];
        Attributes& a = w.now.attributes[i];
        bool meets_rerouter = false, meets_calibrator = false;
        for (;;) {
            const Lane& lane = w.net.lanes[k.lane];
            if ((a.flags & Attributes::on_last_edge) != 0) {
                const Trip& trip = w.demand.trips[k.vehicle];
                if (k.position >= trip.arrival_pos - arrival_margin &&
                    w.demand.choice(a.route_at, lane.index).best_offset == 0)
                    return arrive(i);
            }
            if (k.position <= lane.length) return;
            const int connection = w.next_connection(lane, a.route_at);
            if (connection < 0 ||
                connection == plans[i].stop_connection) {  // red, or the lane ends: stops dead at the line
                k.position = lane.length;
                k.speed = 0;
                return;
            }
            w.now.memory[i].odometer += Memory::way(lane.length);
            k.position -= lane.length;
            const int next = w.net.connections[connection].next_lane;
            if (w.net.lanes[next].is_internal()) {
                a.came_over = static_cast<int>(w.step);
            } else {
                a.came_over = lane.is_internal() ? k.lane : -1;
                ++a.route_at;
                if (w.demand.stretch(a.route_at).last) a.flags |= Attributes::on_last_edge;
            }
            k.lane = next;
            if ((w.net.lanes[next].flags & Lane::has_entry_rules) != 0 && is_taken_off(i)) return;
            if ((w.net.lanes[next].flags & Lane::has_calibrator) != 0 && !meets_calibrator) {
                meets_calibrator = true;
                w.meet_calibrator(k.vehicle);
            }
            if ((w.net.lanes[next].flags & Lane::has_rerouter) != 0 && !meets_rerouter) {
                meets_rerouter = true;
                w.meet_rerouter(k.vehicle);
            }
        }
    }

    // Obeys the rule of the edge that the vehicle has entered. True: it is gone.
    HD bool is_taken_off(int i) const {
        const Kinematics& k = w.now.kinematics[i];
        const EntryRule* rule = w.entry_rule(w.net.lanes[k.lane].edge);
        if (!rule) return false;
        if (rule->type >= 0) {
            w.now.attributes[i].type = static_cast<std::uint16_t>(rule->type);
            return false;
        }
        take_off(i);
        return true;
    }

    HD void take_off(int i) const {
        Kinematics& k = w.now.kinematics[i];
        TripResult& r = w.demand.results[k.vehicle];
        r.status = static_cast<std::uint8_t>(TripStatus::removed);
        r.reason = static_cast<std::uint8_t>(RemovalReason::vaporized);
        r.odometer = w.now.memory[i].odometer + Memory::way(k.position);
        r.time_loss = w.now.memory[i].time_loss;
        if (w.now.attributes[i].waiting > 0) w.end_waiting(i);
        k.lane = gone;
        atomic_add(w.taken_off, 1);
    }

    HD void arrive(int i) const {
        lose_time(i, w.now.kinematics[i].speed);
        end_trip(i);
    }

    HD void end_trip(int i) const {
        Kinematics& k = w.now.kinematics[i];
        const Trip& trip = w.demand.trips[k.vehicle];
        TripResult& r = w.demand.results[k.vehicle];
        r.arrival_step = static_cast<std::int32_t>(w.step);
        r.arrival_lane = w.net.lanes[k.lane].index;
        r.arrival_speed = k.speed;
        r.status = static_cast<std::uint8_t>(TripStatus::arrived);
        r.odometer = w.now.memory[i].odometer + Memory::way(trip.arrival_pos);
        r.time_loss = w.now.memory[i].time_loss;
        if (w.now.attributes[i].waiting > 0) w.end_waiting(i);
        k.lane = gone;
    }

    HD void lose_time(int i, float speed) const {
        const float wanted = w.desired_when_dry(i, w.net.lanes[w.now.kinematics[i].lane]);
        if (wanted <= 0) return;
        const float lost = w.method.dt * (1 - speed / wanted);  // below zero where it drives faster than it wants
        w.now.memory[i].time_loss += Memory::time(lost);
    }

    // driven_speed: before a dead stop at a line, m/s.
    HD void account(int i, float driven_speed) const {
        const Kinematics& k = w.now.kinematics[i];
        Attributes& a = w.now.attributes[i];
        if (k.lane == gone) return;
        if (w.stop_left(i) == 0) lose_time(i, driven_speed);  // nor at a waypoint
        if (k.speed <= 0.1f) {
            if (a.waiting < 0xFFFF) ++a.waiting;
        } else if (a.waiting > 0) {
            w.end_waiting(i);
            a.waiting = 0;
        }
    }
};

}  // namespace

void move(const Exec& exec, const World& world, const Plan* plans) {
    parallel_for(exec, world.now.count, Move{world, plans});
}

void end_trip(const World& world, int i) { Move{world, nullptr}.end_trip(i); }

void take_off(const World& world, int i) { Move{world, nullptr}.take_off(i); }

}  // namespace jamiton
