// Lanes that close for some time (as measured in SUMO 1.15): their vehicles drive on to the lane end and wait there,
// those before it wait for the lane to open or drive round it on the lanes beside.
#include <algorithm>

#include "engine/rerouting.hpp"

namespace jamiton {

void Rerouting::close_lanes(const Exec& exec, const World& world, Demand& demand, Network& network) {
    const auto step = static_cast<std::int32_t>(world.step);
    if (closure_steps_.empty() || closure_steps_.back() > step) return;
    while (!closure_steps_.empty() && closure_steps_.back() <= step) closure_steps_.pop_back();
    synchronize(exec);
    set_permissions(step, demand, network);
    graphs_.forget();
    pool_.forget();
    std::vector<char> concerned(network.edges.size(), 0);
    for (const LaneClosure& closure : demand.lane_closures)
        concerned[static_cast<std::size_t>(network.lanes[closure.lane].edge)] = 1;
    for (std::uint32_t vehicle = 0; vehicle < demand.trips.size(); ++vehicle) {
        const Trip& trip = demand.trips[vehicle];
        const TripResult& result = world.demand.results[vehicle];
        // Who is beside the road keeps the route that it went there with.
        const bool comes = result.depart_step < 0 && !has_status(world, vehicle, TripStatus::removed);
        if (!comes && world.now.where[vehicle] < 0) continue;
        const auto route = demand.route_pool.begin() + trip.route_begin;
        const bool passes = std::any_of(route, route + trip.route_length, [&](std::uint32_t stretch) {
            return concerned[static_cast<std::size_t>(demand.choices[stretch].edge)] != 0;
        });
        if (passes) keep_route(vehicle, world, demand);
    }
}

void Rerouting::set_permissions(std::int32_t step, const Demand& demand, Network& network) {
    const std::vector<LaneClosure>& closures = demand.lane_closures;
    for (std::size_t n = 0; n < closures.size(); ++n) network.lanes[closures[n].lane].allowed = own_lanes_[n];
    for (const LaneClosure& c : closures)
        if (c.begin <= step && step < c.end) network.lanes[c.lane].allowed &= ~c.closed;
    for (std::size_t k = 0; k < permitted_.size(); ++k) {
        const Connection& connection = network.connections[k];
        permitted_[k] = own_connections_[k] & network.lanes[connection.from_lane].allowed &
                        network.lanes[connection.to_lane].allowed;
    }
}

// The same edges and stops by the present permissions.
void Rerouting::keep_route(std::uint32_t vehicle, const World& world, Demand& demand) {
    const Trip& trip = demand.trips[vehicle];
    const std::vector<int> edges = edges_of(demand, trip.route_begin, trip.route_begin + trip.route_length);
    stop_places_.clear();
    for (std::uint32_t n = 0; n < trip.stop_count; ++n)
        stop_places_.push_back(demand.stops[trip.stop_begin + n].route_at - trip.route_begin - n);
    set_route(vehicle, edges, world, demand);
}

}  // namespace jamiton
