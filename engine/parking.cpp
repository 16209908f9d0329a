#include "engine/parking.hpp"

#include <algorithm>

#include "engine/entry.hpp"

namespace jamiton {

Parking::Parking(const Demand& demand) : found_(1), holder_(demand.lot_end.size()) {
    holder_.fill(-1);
    for (const Stop& stop : demand.stops) used_ = used_ || stop.parking || stop.area >= 0;
}

ParkingView Parking::view(int vehicles) {
    if (used_ && static_cast<int>(found_.size()) < vehicles + 1) found_.resize(vehicles * 5 / 4 + 64);
    return {holder_.data(), found_.data()};
}

int Parking::take(const World& w) {
    for (int lot : left_lots_) holder_[lot] = -1;
    left_lots_.clear();
    std::sort(found_.data() + 1, found_.data() + 1 + found_[0],
              [&](int a, int b) { return w.now.kinematics[a].vehicle < w.now.kinematics[b].vehicle; });
    int taken = 0;
    for (int n = 1; n <= found_[0]; ++n) {
        const int i = found_[n];
        const Stop& stop = w.present_stop(i);
        const int lot = stop.area >= 0 ? free_lot(w, i, stop) : -1;
        if (stop.area >= 0 && lot < 0) continue;
        park(w, i, stop, lot);
        if (w.now.kinematics[i].lane == gone) ++taken;
    }
    found_[0] = 0;
    if (taken > 0)
        std::sort(parked_.begin(), parked_.end(),
                  [](const Parked& a, const Parked& b) { return a.kinematics.vehicle < b.kinematics.vehicle; });
    return taken;
}

// On the road of an area that lies there the vehicle stays in its lane.
void Parking::park(const World& w, int i, const Stop& stop, int lot) {
    Kinematics& k = w.now.kinematics[i];
    Attributes& a = w.now.attributes[i];
    StopProgress& p = w.demand.stop_progress[w.demand.trips[k.vehicle].stop_begin];
    const std::int32_t lasts = std::max({stop.duration, stop.until - static_cast<std::int32_t>(w.step), 1});
    if (lot >= 0) holder_[lot] = static_cast<int>(k.vehicle);
    if (a.waiting > 0) w.end_waiting(i);
    a.waiting = 0;
    if (stop.area >= 0 && w.demand.areas[stop.area].on_road) {
        p.lot = lot;
        p.left = lasts;
        ++p.steps;
        return;
    }
    Parked parked{k, a, w.now.memory[i], w.step, w.step + static_cast<std::uint32_t>(lasts), lot};
    if (lot >= 0) parked.kinematics.position = w.demand.lot_end[lot];
    parked.kinematics.speed = 0;
    parked_.push_back(parked);
    TripResult& r = w.demand.results[k.vehicle];
    r.time_loss = parked.memory.time_loss;
    r.odometer = parked.memory.odometer + Memory::way(parked.kinematics.position);
    k.lane = gone;
}

int Parking::most_leaving(std::uint32_t step) const {
    int most = 0;
    for (const Parked& p : parked_) most += p.until <= step + 1;
    return most;
}

// Whoever leaves in the next step stands on the road at the end of this one. One per lane and step.
int Parking::put_back(const World& w, VehicleState& state) {
    int placed = 0;
    std::vector<int> used;
    const Entry entry{w};
    const Fresh nobody{};
    std::erase_if(parked_, [&](Parked& p) {
        if (p.until > w.step + 1 || std::find(used.begin(), used.end(), p.kinematics.lane) != used.end()) return false;
        const Trip& trip = w.demand.trips[p.kinematics.vehicle];
        Place place{p.kinematics.lane, p.kinematics.position, 0, true};
        if (!entry.is_safe(
                {p.kinematics.vehicle, p.attributes.type, p.attributes.speed_factor, p.attributes.route_at + 1}, place,
                nobody))
            return false;
        StopProgress& progress = w.demand.stop_progress[trip.stop_begin];
        progress.steps += w.step + 1 - p.since;
        ++p.attributes.route_at;
        if (w.demand.stretch(p.attributes.route_at).last) p.attributes.flags |= Attributes::on_last_edge;
        if (++progress.done == trip.stop_count)
            p.attributes.flags = static_cast<std::uint16_t>(p.attributes.flags & ~Attributes::has_stops);
        const int slot = state.count + placed++;
        state.kinematics[slot] = p.kinematics;
        state.attributes[slot] = p.attributes;
        state.memory[slot] = p.memory;
        if (p.lot >= 0) left_lots_.push_back(p.lot);
        used.push_back(p.kinematics.lane);
        return true;
    });
    return placed;
}

}  // namespace jamiton
