#include "engine/insertion.hpp"

#include <algorithm>
#include <numeric>

#include "engine/core/random.hpp"
#include "engine/look_ahead.hpp"
#include "engine/observation.hpp"
#include "engine/signal_states.hpp"

namespace jamiton {
namespace {

constexpr int most_per_step = 64;            // entries per edge and step; more wait for the next step

// A place to enter: lane, front position, speed, and whether the speed may be lowered to what is safe.
struct Place {
    int lane = -1;
    float position = 0, speed = 0;
    bool adapt = false;
};

struct Enter {
    World w;
    Insertion::Queue* queues;
    const std::uint32_t* order;
    int* entered;
    int* dropped;
    int capacity;

    // Vehicles that entered the same edge earlier in this step, as indices in the state.
    struct Fresh {
        int index[most_per_step];
        int count = 0;
    };

    HD void operator()(int q) const {
        Insertion::Queue& queue = queues[q];
        const Edge& edge = w.net.edges[queue.edge];
        Fresh fresh;
        std::uint64_t barred = 0;            // lanes where a vehicle with the usual place has failed in this step
        const std::uint64_t all = edge.lane_count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << edge.lane_count) - 1;
        bool front = true;                   // all before have entered
        for (int n = queue.head; n < queue.end && barred != all && fresh.count < most_per_step; ++n) {
            const std::uint32_t vehicle = order[n];
            const Trip& trip = w.demand.trips[vehicle];
            if (trip.depart_step > static_cast<std::int32_t>(w.step)) break;
            TripResult& result = w.demand.results[vehicle];
            if (result.status == static_cast<std::uint8_t>(TripStatus::not_due)) result.status = static_cast<std::uint8_t>(TripStatus::waiting);
            bool done = result.status != static_cast<std::uint8_t>(TripStatus::waiting);
            if (!done && trip.waiting_limit >= 0 && static_cast<std::int32_t>(w.step) - trip.depart_step > trip.waiting_limit) {
                result.status = static_cast<std::uint8_t>(TripStatus::removed);
                result.reason = static_cast<std::uint8_t>(RemovalReason::max_depart_delay);
                atomic_add(dropped, 1);
                done = true;
            }
            if (!done) done = try_enter(vehicle, trip, edge, fresh, barred);
            if (done && front) queue.head = n + 1;
            front = front && done;
        }
    }

    HD bool try_enter(std::uint32_t vehicle, const Trip& trip, const Edge& edge, Fresh& fresh, std::uint64_t& barred) const {
        Place place;
        const int k = choose_lane(vehicle, trip, edge, fresh);
        if (k < 0) return false;
        const bool usual = trip.depart_pos_kind == DepartPos::base || trip.depart_pos_kind == DepartPos::last;
        if (usual && (barred >> k & 1) != 0) return false;
        place.lane = edge.first_lane + k;
        choose_speed(vehicle, trip, place, fresh);
        choose_position(vehicle, trip, place, fresh);
        if (!is_safe(vehicle, trip, place, fresh)) {
            if (usual) barred |= std::uint64_t{1} << k;
            return false;
        }
        append(vehicle, trip, place, fresh);
        return true;
    }

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

    // Lane index on the first edge, -1 when none fits.
    HD int choose_lane(std::uint32_t vehicle, const Trip& trip, const Edge& edge, const Fresh& fresh) const {
        const LaneChoice* choices = &w.demand.choice(trip.route_begin, 0);
        const bool last = w.demand.stretch(trip.route_begin).last != 0;
        if (trip.depart_lane == DepartLane::index) return trip.depart_lane_index;
        float longest = 0;
        int usable = 0;
        for (int k = 0; k < edge.lane_count; ++k) {
            if (!choices[k].allowed) continue;
            longest = max(longest, choices[k].drivable);
            ++usable;
        }
        int pick = static_cast<int>(uniform(draw(w.seed, vehicle, w.step, Purpose::depart).word[0]) * static_cast<float>(usable));
        int best = -1;
        float most = 0;
        for (int k = 0; k < edge.lane_count; ++k) {
            if (!choices[k].allowed) continue;
            if (trip.depart_lane == DepartLane::first) return k;
            if (trip.depart_lane == DepartLane::random && pick-- == 0) return k;
            if (trip.depart_lane == DepartLane::allowed && !last && choices[k].connection < 0) continue;
            if ((trip.depart_lane == DepartLane::best || trip.depart_lane == DepartLane::best_prob) && choices[k].drivable < longest) continue;
            const float free = room(edge.first_lane + k, fresh);
            if (best < 0 || free > most) best = k, most = free;
        }
        return best;
    }

    HD void choose_speed(std::uint32_t vehicle, const Trip& trip, Place& place, const Fresh& fresh) const {
        const Driver& d = w.demand.drivers[trip.type];
        const Lane& lane = w.net.lanes[place.lane];
        const float limit = w.net.speed_limit(lane, d.vehicle_class);
        const float wanted = min(limit * (static_cast<float>(trip.speed_factor) / 16384), d.max_speed);
        const int last = w.now.lane_begin[place.lane + 1] - 1;
        place.adapt = trip.depart_speed_kind != DepartSpeed::value;
        switch (trip.depart_speed_kind) {
            case DepartSpeed::value: place.speed = min(trip.depart_speed, wanted); break;
            case DepartSpeed::random: place.speed = wanted * uniform(draw(w.seed, vehicle, w.step, Purpose::depart).word[1]); break;
            case DepartSpeed::max:
            case DepartSpeed::desired: place.speed = wanted; break;
            case DepartSpeed::speed_limit: place.speed = min(limit, d.max_speed); break;
            case DepartSpeed::last: {
                int rear = last >= w.now.lane_begin[place.lane] ? last : -1;
                for (int n = 0; n < fresh.count; ++n)
                    if (w.now.kinematics[fresh.index[n]].lane == place.lane && (rear < 0 || w.now.kinematics[fresh.index[n]].position < w.now.kinematics[rear].position)) rear = fresh.index[n];
                place.speed = rear < 0 ? wanted : min(wanted, w.now.kinematics[rear].speed);
                break;
            }
            case DepartSpeed::avg: {
                float sum = 0;
                int count = 0;
                for (int i = w.now.lane_begin[place.lane]; i <= last; ++i, ++count) sum += w.now.kinematics[i].speed;
                for (int n = 0; n < fresh.count; ++n)
                    if (w.now.kinematics[fresh.index[n]].lane == place.lane) sum += w.now.kinematics[fresh.index[n]].speed, ++count;
                place.speed = count == 0 ? wanted : min(wanted, sum / static_cast<float>(count));
                break;
            }
        }
    }

    HD void choose_position(std::uint32_t vehicle, const Trip& trip, Place& place, const Fresh& fresh) const {
        const Driver& d = w.demand.drivers[trip.type];
        const float length = w.net.lanes[place.lane].length;
        const float base = min(d.length + 0.1f, length);
        switch (trip.depart_pos_kind) {
            case DepartPos::position: place.position = min(trip.depart_pos, length); break;
            case DepartPos::random:
            case DepartPos::random_free: place.position = length * uniform(draw(w.seed, vehicle, w.step, Purpose::depart).word[2]); break;
            case DepartPos::last:
            case DepartPos::free: {
                place.position = length;
                const Leader leader = ahead_of(place.lane, -1, fresh);
                if (leader.index >= 0) {
                    const float needed = secure_gap(d, place.speed, w.now.kinematics[leader.index].speed, w.driver(leader.index).apparent_decel, w.method);
                    place.position = leader.gap - 1 - needed - d.min_gap - 0.1f;           // the gap is from position -1
                }
                break;
            }
            default: place.position = base;
        }
    }

    // The nearest body ahead of a point of a lane, on that lane.
    HD Leader ahead_of(int lane, float position, const Fresh& fresh) const {
        Leader best = tail_on(w, lane, -position, ~0u);
        const int low = place_on_lane(w, lane, position);
        if (low > w.now.lane_begin[lane]) best = nearer(best, {low - 1, w.now.kinematics[low - 1].position - w.driver(low - 1).length - position});
        for (int n = 0; n < fresh.count; ++n) {
            const int f = fresh.index[n];
            const Kinematics& k = w.now.kinematics[f];
            if (k.lane == lane && k.position >= position) best = nearer(best, {f, k.position - w.driver(f).length - position});
        }
        return best;
    }

    HD bool is_safe(std::uint32_t vehicle, const Trip& trip, Place& place, const Fresh& fresh) const {
        return place.position >= 0 && leaves_room_behind(trip, place, fresh) && is_safe_ahead(vehicle, trip, place, fresh);
    }

    // Lowers the speed of the place to a bound if it may be lowered. False: it may not.
    HD static bool lower(Place& place, float bound) {
        if (place.speed <= bound + 0.001f) return true;
        if (!place.adapt) return false;
        place.speed = max(0.f, bound);
        return bound >= 0;
    }

    HD bool is_safe_ahead(std::uint32_t vehicle, const Trip& trip, Place& place, const Fresh& fresh) const {
        const Driver& d = w.demand.drivers[trip.type];
        const Leader first = ahead_of(place.lane, place.position, fresh);
        if (first.index >= 0 && !behind(place, d, first)) return false;
        int lane = place.lane;
        std::uint32_t route_at = trip.route_begin;
        float seen = w.net.lanes[lane].length - place.position;
        const float look = brake_gap(place.speed, d.decel, d.tau, w.method) + d.min_gap + place.speed * w.method.dt;
        while (seen < look) {
            const Lane& l = w.net.lanes[lane];
            if (!l.is_internal() && w.demand.stretch(route_at).last) return true;
            const int connection = w.next_connection(l, route_at);
            if (connection < 0) return lower(place, stop_speed_unbounded(seen, place.speed, d.decel, w.method.dt, w.method, true));
            const Connection& c = w.net.connections[connection];
            const char state = w.net.state(c);
            if (is_red(state) || is_yellow(state) || is_minor(state)) {
                if (!lower(place, stop_speed_unbounded(seen, place.speed, d.decel, w.method.dt, w.method, true))) return false;
                return true;
            }
            lane = c.next_lane;
            const Lane& next = w.net.lanes[lane];
            if (!next.is_internal()) ++route_at;
            const float limit = min(w.net.speed_limit(next, d.vehicle_class) * (static_cast<float>(trip.speed_factor) / 16384), d.max_speed);
            if (!lower(place, max(limit, speed_to_reach(seen, place.speed, limit, d, w.method, true)))) return false;
            const Leader leader = rearmost(w, lane, seen, vehicle);
            if (leader.index >= 0 && !behind(place, d, leader)) return false;
            seen += next.length;
        }
        return true;
    }

    HD bool behind(Place& place, const Driver& d, Leader leader) const {
        const float gap = leader.gap - d.min_gap;
        if (gap < 0) return false;
        return lower(place, krauss_follow_speed(d, place.speed, gap, w.now.kinematics[leader.index].speed, w.driver(leader.index).apparent_decel, w.method, true));
    }

    // Nobody behind may have to brake hard: on the lane, or on its way to it.
    HD bool leaves_room_behind(const Trip& trip, const Place& place, const Fresh& fresh) const {
        const Driver& d = w.demand.drivers[trip.type];
        const float back = place.position - d.length;
        const Leader follower = follower_on_lane(w, place.lane, back, place_on_lane(w, place.lane, place.position));
        bool safe = follower.index < 0 || has_room(follower.index, follower.gap, place, d);
        for (int n = 0; n < fresh.count && safe; ++n) {
            const int f = fresh.index[n];
            if (w.now.kinematics[f].lane == place.lane && w.now.kinematics[f].position < place.position) safe = has_room(f, back - w.now.kinematics[f].position, place, d);
        }
        return safe;
    }

    HD bool has_room(int f, float gap, const Place& place, const Driver& d) const {
        const Driver& other = w.driver(f);
        return gap - other.min_gap >= secure_gap(other, w.now.kinematics[f].speed, place.speed, d.apparent_decel, w.method);
    }

    HD void append(std::uint32_t vehicle, const Trip& trip, const Place& place, Fresh& fresh) const {
        const int slot = w.now.count + atomic_add(entered, 1);
        if (slot >= capacity) return;                    // cannot happen: capacity is for all who are due
        w.now.kinematics[slot] = {place.position, place.speed, vehicle, place.lane};
        Attributes a;
        a.route_at = trip.route_begin;
        a.type = trip.type;
        a.speed_factor = trip.speed_factor;
        if (trip.stop_count > 0) a.flags |= Attributes::has_stops;
        if (w.demand.stretch(trip.route_begin).last) a.flags |= Attributes::on_last_edge;
        w.now.attributes[slot] = a;
        w.now.memory[slot] = Memory{};
        w.now.memory[slot].odometer = Memory::way(-place.position);
        fresh.index[fresh.count++] = slot;
        TripResult& r = w.demand.results[vehicle];
        r.depart_step = static_cast<std::int32_t>(w.step);
        r.depart_lane = place.lane;
        r.depart_pos = place.position;
        r.depart_speed = place.speed;
        r.status = static_cast<std::uint8_t>(TripStatus::running);
    }
};

}  // namespace

Insertion::Insertion(const Demand& demand) : entered_(1), dropped_(1), trips_(demand.trips.data()), trip_count_(static_cast<int>(demand.trips.size())) {
    std::vector<std::uint32_t> order(demand.trips.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto edge_of = [&](std::uint32_t trip) { return demand.stretches[demand.route_pool[demand.trips[trip].route_begin]].edge; };
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return edge_of(a) < edge_of(b); });
    std::vector<Queue> queues;
    for (std::size_t n = 0; n < order.size(); ++n) {
        if (queues.empty() || queues.back().edge != edge_of(order[n])) queues.push_back({edge_of(order[n]), static_cast<int>(n), static_cast<int>(n)});
        queues.back().end = static_cast<int>(n) + 1;
    }
    order_ = Array<std::uint32_t>(order);
    queues_ = Array<Queue>(queues);
}

int Insertion::most_waiting(std::int32_t step, int inserted) {
    while (due_ < trip_count_ && trips_[due_].depart_step <= step) ++due_;
    return due_ - inserted - dropped_[0];
}

int Insertion::run(const Exec& exec, const World& world, VehicleState& state) {
    entered_[0] = 0;
    parallel_for(exec, static_cast<int>(queues_.size()), Enter{world, queues_.data(), order_.data(), entered_.data(), dropped_.data(), state.capacity()}, 64);
    synchronize(exec);
    return entered_[0];
}

}  // namespace jamiton
