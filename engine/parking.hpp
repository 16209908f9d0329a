// Vehicles that stand beside their lane: a stop with parking, and the lots of parking areas.
#pragma once

#include <vector>

#include "agents/car_following.hpp"
#include "engine/core/parallel.hpp"
#include "engine/state.hpp"

namespace jamiton {

// The lot of an area that vehicle i would take when `others` choose before it, -1: none is free for it. First come
// those that it can still brake for.
HD inline int free_lot(const World& w, int i, const Stop& stop, int others = 0) {
    const ParkingArea& area = w.demand.areas[stop.area];
    const Kinematics& k = w.now.kinematics[i];
    const float reached = k.lane == stop.lane ? k.position + brake_gap(k.speed, w.driver(i).decel, 0, w.method) : -1;
    for (const bool ahead : {true, false}) {
        for (int lot = area.lot_begin; lot < area.lot_begin + area.lot_count; ++lot) {
            if (w.parking.holder[lot] < 0 && (w.demand.lot_end[lot] > reached) == ahead && others-- == 0) return lot;
        }
    }
    return -1;
}

// Vehicles ahead of vehicle i on the lane of the area that head for it too.
HD inline int heading_for_area(const World& w, int i, const Stop& stop) {
    int heading = 0;
    if (w.now.kinematics[i].lane != stop.lane) return heading;
    for (int j = i - 1; j >= w.now.lane_begin[stop.lane]; --j) {
        const Stop* other = w.next_stop(j);
        heading += other && other->area == stop.area && w.stop_left(j) == 0;
    }
    return heading;
}

// m from lane start where vehicle i would stop: in its lot, before a full area, or behind those who stop there already.
HD inline float stop_end(const World& w, int i, const Stop& stop) {
    if (stop.area < 0) return w.stop_end(i, stop);
    const int lot = free_lot(w, i, stop, heading_for_area(w, i, stop));
    return lot >= 0 ? w.demand.lot_end[lot] : max(0.f, stop.start - w.driver(i).min_gap - 0.1f);
}

class Parking {
  public:
    explicit Parking(const Demand& demand);

    // Where those whom `move` has found standing at a parking stop are entered; nobody waits for it without such stops.
    ParkingView view(int vehicles);
    // Takes off the road those found in this step, as far as lots are free; returns how many.
    int take(const World& world);
    // Most that may come back in this step.
    int most_leaving(std::uint32_t step) const;
    // Appends those who leave and find room behind state.count; returns how many.
    int put_back(const World& world, VehicleState& state);
    int parked() const { return static_cast<int>(parked_.size()); }

  private:
    struct Parked {
        Kinematics kinematics;
        Attributes attributes;
        Memory memory;
        std::uint32_t since = 0, until = 0;  // steps
        int lot = -1;
    };

    void park(const World& world, int i, const Stop& stop, int lot);

    Array<int> found_, holder_;   // count, then indices in the state; vehicle in each lot, -1 none
    std::vector<Parked> parked_;  // by vehicle number
    std::vector<int> left_lots_;  // by those who came back in the last step: free when they have driven off
    bool used_ = false;
};

}  // namespace jamiton
