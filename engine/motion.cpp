#include "engine/motion.hpp"

#include "agents/car_following.hpp"
#include "engine/core/random.hpp"
#include "engine/observation.hpp"
#include "engine/signal_states.hpp"

namespace jamiton {
namespace {

struct Move {
    World w;
    const Plan* plans;
    TripResult* results;

    HD void operator()(int i) const {
        Kinematics& k = w.now.kinematics[i];
        Attributes& a = w.now.attributes[i];
        Memory& m = w.now.memory[i];
        const float before = k.speed;
        float way = 0;
        k.speed = next_speed(i, way);
        m.advice = Memory::no_advice;
        a.flags = static_cast<std::uint16_t>(a.flags & ~Attributes::changed);
        const float start = k.position;
        k.position += way;
        const float driven = pass_lanes(i, start, before);
        m.odometer += static_cast<std::uint32_t>(driven * 64 + 0.5f);
        account(i);
    }

    // Speed after the step and the way driven in it, m.
    HD float next_speed(int i, float& way) const {
        const Kinematics& k = w.now.kinematics[i];
        const Driver& d = w.driver(i);
        const float dt = w.method.dt, planned = plans[i].speed;
        const float comfortable = w.method.ballistic ? k.speed - d.decel * dt : max(0.f, k.speed - d.decel * dt);
        const float hardest = w.method.ballistic ? k.speed - d.emergency_decel * dt : max(0.f, k.speed - d.emergency_decel * dt);
        const float lowest = min(comfortable, max(planned, hardest));
        float v = max(lowest, min(planned, min(k.speed + d.accel * dt, d.max_speed)));
        if (d.model == FollowModel::krauss && d.sigma > 0) {
            const RandomWords r = draw(w.seed, k.vehicle, w.step, Purpose::dawdle);
            v = max(lowest, krauss_dawdle(v, d.sigma, d.accel, dt, uniform(r.word[0])));
        }
        if (w.now.memory[i].advice != Memory::no_advice) v = max(lowest, min(v, static_cast<float>(w.now.memory[i].advice) / 512));
        if (!w.method.ballistic) {
            v = max(0.f, v);
            way = v * dt;
            return v;
        }
        if (v < 0) {                                          // stands before the step is over
            way = k.speed * k.speed / (2 * (k.speed - v) / dt);
            return 0;
        }
        way = (k.speed + v) / 2 * dt;
        return v;
    }

    // Carries the vehicle over lane ends. Returns the way driven, m, which is less than planned where it arrives or stops dead.
    HD float pass_lanes(int i, float start, float) const {
        Kinematics& k = w.now.kinematics[i];
        Attributes& a = w.now.attributes[i];
        float driven = -start;
        for (;;) {
            const Lane& lane = w.net.lanes[k.lane];
            if (!lane.is_internal() && w.demand.stretch(a.route_at).last) {
                const Trip& trip = w.demand.trips[k.vehicle];
                if (k.position >= trip.arrival_pos && w.demand.choice(a.route_at, lane.index).best_offset == 0) return arrive(i, driven);
            }
            if (k.position <= lane.length) return driven + k.position;
            const int connection = w.next_connection(lane, a.route_at);
            if (connection < 0 || connection == plans[i].stop_connection) {       // red, or the lane ends: stops dead at the line
                k.position = lane.length;
                k.speed = 0;
                return driven + k.position;
            }
            driven += lane.length;
            k.position -= lane.length;
            const int next = w.net.connections[connection].next_lane;
            if (w.net.lanes[next].is_internal()) {
                if (!lane.is_internal()) a.came_over = static_cast<int>(w.step);
            } else {
                a.came_over = lane.is_internal() ? k.lane : -1;
                ++a.route_at;
            }
            k.lane = next;
        }
    }

    HD float arrive(int i, float driven) const {
        Kinematics& k = w.now.kinematics[i];
        const Trip& trip = w.demand.trips[k.vehicle];
        TripResult& r = results[k.vehicle];
        r.arrival_step = static_cast<std::int32_t>(w.step);
        r.arrival_lane = k.lane;
        r.arrival_pos = trip.arrival_pos;
        r.arrival_speed = k.speed;
        r.status = static_cast<std::uint8_t>(TripStatus::arrived);
        driven += trip.arrival_pos;
        r.odometer = w.now.memory[i].odometer + static_cast<std::uint32_t>(driven * 64 + 0.5f);
        lose_time(i);
        r.time_loss = w.now.memory[i].time_loss;
        k.lane = gone;
        return driven;
    }

    HD void lose_time(int i) const {
        const Kinematics& k = w.now.kinematics[i];
        const float wanted = w.desired(i, w.net.lanes[k.lane]);
        if (wanted <= 0) return;
        const float lost = w.method.dt * (1 - k.speed / wanted);
        if (lost > 0) w.now.memory[i].time_loss += static_cast<std::uint32_t>(lost * 1024 + 0.5f);
    }

    HD void account(int i) const {
        const Kinematics& k = w.now.kinematics[i];
        Attributes& a = w.now.attributes[i];
        if (k.lane == gone) return;
        lose_time(i);
        if (k.speed <= 0.1f) {
            TripResult& r = results[k.vehicle];
            ++r.waiting_steps;
            if (a.waiting == 0) ++r.waiting_count;
            if (a.waiting < 0xFFFF) ++a.waiting;
        } else {
            a.waiting = 0;
        }
    }
};

}  // namespace

void move(const Exec& exec, const World& world, const Plan* plans, TripResult* results) { parallel_for(exec, world.now.count, Move{world, plans, results}); }

}  // namespace jamiton
