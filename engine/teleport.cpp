#include "engine/teleport.hpp"

#include <algorithm>

#include "engine/entry.hpp"
#include "engine/observation.hpp"

namespace jamiton {
namespace {

struct FindStuck {
    World w;
    int* found;
    HD void operator()(int i) const {
        const Kinematics& k = w.now.kinematics[i];
        if (k.lane < 0 || static_cast<float>(w.now.attributes[i].waiting) * w.method.dt <= w.time_to_teleport ||
            w.stop_left(i) > 0)
            return;
        for (int j = i - 1; j >= 0 && w.now.kinematics[j].lane == k.lane; --j)
            if (w.stop_left(j) == 0) return;  // only who is first of those that want to drive
        found[1 + atomic_add(found, 1)] = i;
    }
};

}  // namespace

int Teleport::take(const Exec& exec, const World& w) {
    if (w.time_to_teleport <= 0) return 0;
    if (static_cast<int>(found_.size()) < w.now.count + 1) found_.resize(w.now.count * 5 / 4 + 64);
    found_[0] = 0;
    parallel_for(exec, w.now.count, FindStuck{w, found_.data()});
    synchronize(exec);
    for (int n = 1; n <= found_[0]; ++n) {
        const int i = found_[n];
        Kinematics& k = w.now.kinematics[i];
        Pending p{k.vehicle, w.now.attributes[i], w.now.memory[i], w.step};
        p.memory.odometer += Memory::way(w.net.lanes[k.lane].length);
        w.end_waiting(i);
        p.attributes.waiting = 0;
        p.attributes.flags =
            static_cast<std::uint16_t>(p.attributes.flags & (Attributes::has_stops | Attributes::on_last_edge));
        TripResult& r = w.demand.results[k.vehicle];
        if (r.teleports < 0xFF) ++r.teleports;
        k.lane = gone;
        pending_.push_back(p);
    }
    total_ += found_[0];
    std::sort(pending_.begin(), pending_.end(),
              [](const Pending& a, const Pending& b) { return a.vehicle < b.vehicle; });
    return found_[0];
}

// Whoever is carried past a stop does not make it.
void Teleport::miss_stop(const World& w, Pending& p) {
    const Trip& trip = w.demand.trips[p.vehicle];
    StopProgress& progress = w.demand.stop_progress[trip.stop_begin];
    progress.left = 0;
    while (w.demand.stretch(p.attributes.route_at).to_stop) {
        ++progress.done;
        ++p.attributes.route_at;
    }
    if (progress.done >= trip.stop_count)
        p.attributes.flags = static_cast<std::uint16_t>(p.attributes.flags & ~Attributes::has_stops);
}

// To the next edge of the route, when it is time. False: the route is over.
bool Teleport::advance(const World& w, Pending& p) {
    if (w.step < p.next_edge_step) return true;
    if (w.demand.stretch(p.attributes.route_at).to_stop) miss_stop(w, p);
    if (w.demand.stretch(p.attributes.route_at).last) return false;
    const LaneChoice& stretch = w.demand.stretch(++p.attributes.route_at);
    if (stretch.last) p.attributes.flags |= Attributes::on_last_edge;
    const Lane& lane = w.net.lanes[w.net.edges[stretch.edge].first_lane];
    p.next_edge_step = w.step + 1 + static_cast<std::uint32_t>(lane.length / max(lane.speed_limit, 0.1f) / w.method.dt);
    return true;
}

bool Teleport::put(const World& w, VehicleState& state, int slot, Pending& p) {
    const LaneChoice& stretch = w.demand.stretch(p.attributes.route_at);
    const Edge& edge = w.net.edges[stretch.edge];
    const Driver& d = w.demand.drivers[p.attributes.type];
    const Entry entry{w};
    const Fresh nobody{};
    Place best;
    float most = 0;
    for (int k = 0; k < edge.lane_count; ++k) {
        const LaneChoice& choice = (&stretch)[k];
        if (!choice.allowed || (choice.connection < 0 && !stretch.last && !stretch.to_stop)) continue;
        const Lane& lane = w.net.lanes[edge.first_lane + k];
        Place place{edge.first_lane + k, min(d.length, lane.length),
                    min(w.net.speed_limit(lane, d.vehicle_class), d.max_speed), true};
        if (!entry.is_safe({p.vehicle, p.attributes.type, p.attributes.speed_factor, p.attributes.route_at}, place,
                           nobody))
            continue;
        const float room = entry.room(place.lane, nobody);
        if (best.lane >= 0 && room <= most) continue;
        best = place;
        most = room;
    }
    if (best.lane < 0) return false;
    p.attributes.came_over = -1;
    state.kinematics[slot] = {best.position, best.speed, p.vehicle, best.lane};
    state.attributes[slot] = p.attributes;
    state.memory[slot] = p.memory;
    if ((w.net.lanes[best.lane].flags & Lane::has_rerouter) != 0) w.meet_rerouter(p.vehicle);
    return true;
}

int Teleport::put_back(const World& w, VehicleState& state) {
    int placed = 0;
    std::vector<Pending> still;
    std::vector<int> used;  // edges that somebody came back to in this step
    for (Pending& p : pending_) {
        if (!advance(w, p)) {
            TripResult& r = w.demand.results[p.vehicle];
            r.status = static_cast<std::uint8_t>(TripStatus::removed);
            r.reason = static_cast<std::uint8_t>(RemovalReason::teleported_out);
            r.time_loss = p.memory.time_loss;
            r.odometer = p.memory.odometer;
            ++removed_;
            continue;
        }
        const int edge = w.demand.stretch(p.attributes.route_at).edge;
        if (std::find(used.begin(), used.end(), edge) == used.end() && put(w, state, state.count + placed, p)) {
            used.push_back(edge);
            ++placed;
        } else {
            still.push_back(p);
        }
    }
    pending_ = std::move(still);
    return placed;
}

}  // namespace jamiton
