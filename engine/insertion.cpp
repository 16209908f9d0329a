#include "engine/insertion.hpp"

#include <algorithm>
#include <numeric>

#include "engine/core/random.hpp"
#include "engine/entry.hpp"
#include "engine/observation.hpp"

namespace jamiton {
namespace {

struct Enter : Entry {
    Insertion::Queue* queues;
    const std::uint32_t* order;
    int* entered;
    int* dropped;
    int capacity;

    HD void operator()(int q) const {
        Insertion::Queue& queue = queues[q];
        const Edge& edge = w.net.edges[queue.edge];
        Fresh fresh;
        std::uint64_t barred = 0;  // lanes where a vehicle has failed in this step: those after it wait too
        const std::uint64_t all = edge.lane_count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << edge.lane_count) - 1;
        bool front = true;  // all before have entered
        const EntryRule* rule = w.demand.entry_rule_count > 0 ? w.entry_rule(queue.edge) : nullptr;
        const bool vaporizes = rule && rule->type < 0;
        for (int n = queue.head; n < queue.end && barred != all && fresh.count < most_per_step; ++n) {
            const std::uint32_t vehicle = order[n];
            const Trip& trip = w.demand.trips[vehicle];
            if (trip.depart_step > static_cast<std::int32_t>(w.step)) break;
            TripResult& result = w.demand.results[vehicle];
            if (result.status == static_cast<std::uint8_t>(TripStatus::not_due))
                result.status = static_cast<std::uint8_t>(TripStatus::waiting);
            bool done = result.status != static_cast<std::uint8_t>(TripStatus::waiting);
            if (!done && vaporizes) {
                drop(result, RemovalReason::vaporized);
                done = true;
            }
            if (!done && w.demand.waiting_limit >= 0 &&
                static_cast<std::int32_t>(w.step) - trip.depart_step > w.demand.waiting_limit) {
                drop(result, RemovalReason::max_depart_delay);
                done = true;
            }
            if (!done) done = try_enter(vehicle, trip, edge, fresh, barred);
            if (done && front) queue.head = n + 1;
            front = front && done;
        }
    }

    HD void drop(TripResult& result, RemovalReason reason) const {
        result.status = static_cast<std::uint8_t>(TripStatus::removed);
        result.reason = static_cast<std::uint8_t>(reason);
        atomic_add(dropped, 1);
    }

    HD bool try_enter(std::uint32_t vehicle, const Trip& trip, const Edge& edge, Fresh& fresh,
                      std::uint64_t& barred) const {
        Place place;
        const int k = choose_lane(vehicle, trip, edge, fresh);
        if (k < 0) return false;
        if ((barred >> k & 1) != 0) return false;
        place.lane = edge.first_lane + k;
        choose_speed(vehicle, trip, place, fresh);
        const Entrant entrant{vehicle, trip.type, trip.speed_factor, trip.route_begin};
        const bool anywhere = trip.depart_pos_kind == DepartPos::random_free;
        if (anywhere || trip.depart_pos_kind == DepartPos::free) {
            const bool found =
                (anywhere && finds_random_place(entrant, place, fresh)) || finds_gap(entrant, place, fresh, place);
            if (found)
                append(vehicle, trip, place, fresh);
            else
                barred |= std::uint64_t{1} << k;
            return found;
        }
        choose_position(vehicle, trip, place, fresh);
        if (!is_safe(entrant, place, fresh)) {
            barred |= std::uint64_t{1} << k;
            return false;
        }
        append(vehicle, trip, place, fresh);
        return true;
    }

    // One of ten random places on the lane.
    HD bool finds_random_place(const Entrant& e, Place& place, const Fresh& fresh) const {
        const float wanted = place.speed, length = w.net.lanes[place.lane].length;
        for (std::uint32_t attempt = 1; attempt <= 10; ++attempt) {
            const RandomWords r =
                philox(w.seed, e.vehicle, w.step, static_cast<std::uint32_t>(Purpose::depart), attempt);
            place.position = length * uniform(r.word[0]);
            place.speed = wanted;
            if (is_safe(e, place, fresh)) return true;
        }
        place.speed = wanted;
        return false;
    }

    // The start of the lane, else the rearmost place ahead of a vehicle that could still stop behind it, at the speed
    // wanted.
    HD bool finds_gap(const Entrant& e, Place place, const Fresh& fresh, Place& found) const {
        place.position = 0;
        place.adapt = false;
        found = place;
        if (is_safe(e, found, fresh)) return true;
        const int begin = w.now.lane_begin[place.lane], end = w.now.lane_begin[place.lane + 1];
        for (int n = end - 1; n >= begin; --n)
            if (fits_ahead_of(n, e, found, fresh)) return true;
        for (int n = 0; n < fresh.count; ++n) {
            const int f = fresh.index[n];
            if (w.now.kinematics[f].lane == place.lane && fits_ahead_of(f, e, found, fresh)) return true;
        }
        return false;
    }

    HD bool fits_ahead_of(int follower, const Entrant& e, Place& place, const Fresh& fresh) const {
        const Driver& f = w.driver(follower);
        const Kinematics& k = w.now.kinematics[follower];
        place.position = k.position + f.min_gap + brake_gap(k.speed, f.decel, f.tau, w.method) +
                         w.demand.drivers[e.type].length + 0.1f;
        return place.position <= w.net.lanes[place.lane].length && is_safe(e, place, fresh);
    }

    // Lane index on the first edge, -1 when none fits.
    HD int choose_lane(std::uint32_t vehicle, const Trip& trip, const Edge& edge, const Fresh& fresh) const {
        const LaneChoice* choices = &w.demand.choice(trip.route_begin, 0);
        const LaneChoice& first = choices[0];
        const bool last = first.last || first.to_stop;
        if (trip.depart_lane == DepartLane::index) return trip.depart_lane_index;
        float longest = 0;
        int usable = 0;
        for (int k = 0; k < edge.lane_count; ++k) {
            if (!choices[k].allowed) continue;
            longest = max(longest, choices[k].drivable);
            ++usable;
        }
        int pick = static_cast<int>(uniform(draw(w.seed, vehicle, w.step, Purpose::depart).word[0]) *
                                    static_cast<float>(usable));
        int best = -1;
        float most = 0;
        for (int k = 0; k < edge.lane_count; ++k) {
            if (!choices[k].allowed) continue;
            if (trip.depart_lane == DepartLane::first) return k;
            if (trip.depart_lane == DepartLane::random && pick-- == 0) return k;
            if (trip.depart_lane == DepartLane::allowed && !last && choices[k].connection < 0) continue;
            if ((trip.depart_lane == DepartLane::best || trip.depart_lane == DepartLane::best_prob) &&
                choices[k].drivable < longest)
                continue;
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
        place.adapt = trip.depart_speed_kind == DepartSpeed::max || trip.depart_speed_kind == DepartSpeed::random;
        switch (trip.depart_speed_kind) {
            case DepartSpeed::value: place.speed = min(trip.depart_speed, wanted); break;
            case DepartSpeed::random:
                place.speed = wanted * uniform(draw(w.seed, vehicle, w.step, Purpose::depart).word[1]);
                break;
            case DepartSpeed::max:
            case DepartSpeed::desired: place.speed = wanted; break;
            case DepartSpeed::speed_limit: place.speed = min(limit, d.max_speed); break;
            case DepartSpeed::last: {
                int rear = last >= w.now.lane_begin[place.lane] ? last : -1;
                for (int n = 0; n < fresh.count; ++n)
                    if (w.now.kinematics[fresh.index[n]].lane == place.lane &&
                        (rear < 0 || w.now.kinematics[fresh.index[n]].position < w.now.kinematics[rear].position))
                        rear = fresh.index[n];
                place.speed = rear < 0 ? wanted : min(wanted, w.now.kinematics[rear].speed);
                break;
            }
            case DepartSpeed::avg: {
                float sum = 0;
                int count = 0;
                for (int i = w.now.lane_begin[place.lane]; i <= last; ++i, ++count) sum += w.now.kinematics[i].speed;
                for (int n = 0; n < fresh.count; ++n)
                    if (w.now.kinematics[fresh.index[n]].lane == place.lane)
                        sum += w.now.kinematics[fresh.index[n]].speed, ++count;
                place.speed = count == 0 ? wanted : min(wanted, sum / static_cast<float>(count));
                break;
            }
        }
    }

    HD void choose_position(std::uint32_t vehicle, const Trip& trip, Place& place, const Fresh& fresh) const {
        const Driver& d = w.demand.drivers[trip.type];
        const float length = w.net.lanes[place.lane].length;
        float base = min(d.length + 0.1f, length), stop_end = -1;
        if (w.demand.stretch(trip.route_begin).to_stop) {
            const Stop& stop = w.demand.stops[trip.stop_begin];
            const bool in_lot = stop.area >= 0 && w.demand.areas[stop.area].lot_count > 0;
            const float end = in_lot ? w.demand.lot_end[w.demand.areas[stop.area].lot_begin] : stop.end;
            base = trip.depart_pos_kind == DepartPos::stop ? end : min(base, end);
            if (stop.speed <= 0 && stop.lane == place.lane) stop_end = end;
        }
        switch (trip.depart_pos_kind) {
            case DepartPos::random:
                place.position = length * uniform(draw(w.seed, vehicle, w.step, Purpose::depart).word[2]);
                break;
            case DepartPos::last: {
                place.position = max(0.f, length - 0.1f);
                Leader leader = ahead_of(place.lane, -1, fresh);  // the gap is from position -1
                if (leader.index < 0) {                           // an empty lane: behind who has left it
                    const float look = brake_gap(place.speed, d.decel, d.tau, w.method) + d.min_gap;
                    leader = leader_along_route(w, place.lane, -1, w.now.lane_begin[place.lane], trip.route_begin,
                                                vehicle, length + look);
                }
                if (leader.index >= 0) {
                    const float needed = secure_gap(d, place.speed, w.now.kinematics[leader.index].speed,
                                                    w.driver(leader.index).apparent_decel, w.method);
                    place.position = min(place.position, leader.gap - 1 - needed - d.min_gap - 0.1f);
                }
                break;
            }
            case DepartPos::position: place.position = min(trip.depart_pos, length); break;
            default: place.position = base;
        }
        if (w.demand.late && trip.depart_pos_kind != DepartPos::last)
            place.position += late_way(vehicle, trip, place.position, place, fresh);
        if (place.adapt && stop_end >= place.position) {
            const float way = stop_end - place.position;
            lower(place, stop_speed_unbounded(way, place.speed, d.decel, w.method.dt, w.method, true));
        }
    }

    // m that it would have driven since its planned departure, as far as its leader lets it.
    HD float late_way(std::uint32_t vehicle, const Trip& trip, float base, const Place& place,
                      const Fresh& fresh) const {
        const Driver& d = w.demand.drivers[trip.type];
        const float delay = w.demand.late[vehicle] +
                            static_cast<float>(static_cast<std::int32_t>(w.step) - trip.depart_step) * w.method.dt;
        float way = min(place.speed * delay, w.net.lanes[place.lane].length - base);
        const Leader leader = ahead_of(place.lane, base, fresh);
        if (leader.index >= 0)
            way = min(way, leader.gap - d.min_gap -
                               secure_gap(d, place.speed, w.now.kinematics[leader.index].speed,
                                          w.driver(leader.index).apparent_decel, w.method) -
                               0.001f);
        return max(0.f, way);
    }

    HD void append(std::uint32_t vehicle, const Trip& trip, const Place& place, Fresh& fresh) const {
        const int slot = w.now.count + atomic_add(entered, 1);
        if (slot >= capacity) return w.error.set(KernelError::no_room, vehicle);
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
        if ((w.net.lanes[place.lane].flags & Lane::has_rerouter) != 0) w.meet_rerouter(vehicle);
        if ((w.net.lanes[place.lane].flags & Lane::has_calibrator) != 0) w.meet_calibrator(vehicle);
        fresh.index[fresh.count++] = slot;
        TripResult& r = w.demand.results[vehicle];
        r.depart_step = static_cast<std::int32_t>(w.step);
        r.depart_lane = w.net.lanes[place.lane].index;
        r.depart_pos = place.position;
        r.depart_speed = place.speed;
        r.status = static_cast<std::uint8_t>(TripStatus::running);
    }
};

// One after the other onto the same edge, until one finds no place.
struct EnterOnCall : Enter {
    std::uint32_t first;
    int count;

    HD void operator()(int) const {
        const Edge& edge = w.net.edges[w.demand.stretch(w.demand.trips[first].route_begin).edge];
        Fresh fresh;
        std::uint64_t barred = 0;
        for (int n = 0; n < count; ++n) {
            const std::uint32_t vehicle = first + static_cast<std::uint32_t>(n);
            if (!try_enter(vehicle, w.demand.trips[vehicle], edge, fresh, barred)) return;
        }
    }
};

}  // namespace

Insertion::Insertion(const Demand& demand)
    : roaming_(demand.roaming),
      entered_(1),
      dropped_(1),
      trips_(demand.trips.data()),
      trip_count_(static_cast<int>(demand.trips.size())) {
    std::vector<std::uint32_t> trips;
    trips.reserve(demand.trips.size());
    auto roaming = demand.roaming.begin();
    for (std::uint32_t t = 0; t < demand.trips.size(); ++t) {
        if (roaming != demand.roaming.end() && *roaming == t)
            ++roaming;
        else
            trips.push_back(t);
    }
    make_queues(demand, std::move(trips), order_, queues_);
}

void Insertion::make_queues(const Demand& demand, std::vector<std::uint32_t> trips, Array<std::uint32_t>& order,
                            Array<Queue>& queues) {
    const auto edge_of = [&](std::uint32_t trip) { return demand.stretch(demand.trips[trip].route_begin).edge; };
    std::stable_sort(trips.begin(), trips.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return edge_of(a) < edge_of(b); });
    std::vector<Queue> made;
    for (std::size_t n = 0; n < trips.size(); ++n) {
        if (made.empty() || made.back().edge != edge_of(trips[n]))
            made.push_back({edge_of(trips[n]), static_cast<int>(n), static_cast<int>(n)});
        made.back().end = static_cast<int>(n) + 1;
    }
    order = Array<std::uint32_t>(trips);
    queues = Array<Queue>(made);
}

int Insertion::most_waiting(std::int32_t step, int inserted) {
    while (due_ < trip_count_ && trips_[due_].depart_step <= step) ++due_;
    return due_ - inserted - dropped_[0];
}

int Insertion::run(const Exec& exec, const World& world, VehicleState& state) {
    return enter(exec, world, state, order_, queues_);
}

int Insertion::run_roaming(const Exec& exec, const World& world, VehicleState& state, const Demand& demand) {
    const auto step = static_cast<std::int32_t>(world.step);
    while (next_roaming_ < roaming_.size() && demand.trips[roaming_[next_roaming_]].depart_step <= step)
        waiting_.push_back(roaming_[next_roaming_++]);
    if (waiting_.empty()) return 0;
    make_queues(demand, waiting_, roaming_order_, roaming_queues_);
    const int entered = enter(exec, world, state, roaming_order_, roaming_queues_);
    std::erase_if(waiting_, [&](std::uint32_t trip) {
        return world.demand.results[trip].status > static_cast<std::uint8_t>(TripStatus::waiting);
    });
    return entered;
}

int Insertion::enter(const Exec& exec, const World& world, VehicleState& state, Array<std::uint32_t>& order,
                     Array<Queue>& queues) {
    entered_[0] = 0;
    parallel_for(exec, static_cast<int>(queues.size()),
                 Enter{{world}, queues.data(), order.data(), entered_.data(), dropped_.data(), state.capacity()}, 64);
    synchronize(exec);
    return entered_[0];
}

int Insertion::call(const Exec& exec, const World& world, VehicleState& state, std::uint32_t first, int count) {
    entered_[0] = 0;
    parallel_for(exec, 1,
                 EnterOnCall{{{world}, nullptr, nullptr, entered_.data(), nullptr, state.capacity()}, first, count});
    synchronize(exec);
    return entered_[0];
}

}  // namespace jamiton
