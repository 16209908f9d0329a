#include <cmath>
#include <limits>

#include "engine/simulation.hpp"

namespace jamiton {

// Figures of a trip in SUMO's meaning: duration counts steps, waiting counts steps at 0.1 m/s or less, time loss is
// against the speed wanted on each lane.
TripTable Simulation::trips() const {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    constexpr float nanf = std::numeric_limits<float>::quiet_NaN();
    const double dt = options_.step;
    const auto lane_of = [this](std::uint32_t route_at, int index) {
        return network_.edges[demand_.stretch(route_at).edge].first_lane + index;
    };
    TripTable t;
    t.time = label_;
    for (std::size_t v = 0; v < results_.size(); ++v) {
        const TripResult& r = results_[v];
        const Trip& trip = demand_.trips[v];
        TripStatus status = static_cast<TripStatus>(r.status);
        if (status == TripStatus::not_due && trip.depart_step < static_cast<std::int32_t>(steps_))
            status = TripStatus::waiting;
        const bool entered = r.depart_step >= 0, arrived = status == TripStatus::arrived;
        const double depart = entered ? options_.begin + r.depart_step * dt : nan;
        const Memory* m = entered && where_[v] >= 0 ? &state_.memory[where_[v]] : nullptr;
        const std::uint32_t time_loss = m ? m->time_loss : r.time_loss,
                            odometer =
                                m ? m->odometer + Memory::way(state_.kinematics[where_[v]].position) : r.odometer;
        t.depart_planned.push_back(demand_.planned[v]);
        t.depart.push_back(depart);
        t.arrival.push_back(arrived ? options_.begin + r.arrival_step * dt : nan);
        t.duration.push_back(arrived ? static_cast<float>((r.arrival_step - r.depart_step) * dt) : nanf);
        t.route_length.push_back(entered ? static_cast<float>(static_cast<std::int32_t>(odometer)) / Memory::way_unit
                                         : nanf);
        t.time_loss.push_back(entered ? static_cast<float>(static_cast<std::int32_t>(time_loss)) / Memory::time_unit
                                      : nanf);
        const std::uint32_t waits =
            m ? state_.attributes[where_[v]].waiting : 0;  // the present wait is not yet in the result
        t.waiting_time.push_back(entered ? static_cast<float>((r.waiting_steps + waits) * dt) : nanf);
        t.waiting_count.push_back(r.waiting_count + (waits > 0 ? 1 : 0));
        t.stop_time.push_back(
            entered ? trip.stop_count > 0 ? static_cast<float>(stop_progress_[trip.stop_begin].steps * dt) : 0 : nanf);
        t.depart_delay.push_back(entered ? static_cast<float>(depart - demand_.planned[v]) : nanf);
        t.depart_lane.push_back(entered ? lane_of(trip.route_begin, r.depart_lane) : -1);
        t.depart_pos.push_back(entered ? r.depart_pos : nanf);
        t.depart_speed.push_back(entered ? r.depart_speed : nanf);
        t.arrival_lane.push_back(arrived ? lane_of(trip.route_begin + trip.route_length - 1, r.arrival_lane) : -1);
        t.arrival_pos.push_back(arrived ? trip.arrival_pos : nanf);
        t.arrival_speed.push_back(arrived ? r.arrival_speed : nanf);
        t.speed_factor.push_back(static_cast<float>(trip.speed_factor) / 16384);
        t.reroutes.push_back(r.reroutes);
        t.teleports.push_back(r.teleports);
        t.status.push_back(arrived && !demand_.recorded[v] ? TripStatus::unrecorded : status);
        t.reason.push_back(static_cast<RemovalReason>(r.reason));
    }
    return t;
}

}  // namespace jamiton
