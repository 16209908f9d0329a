// The planned stops of vehicles, parking areas and what stands beside the road.
#include <algorithm>
#include <cmath>

#include "engine/demand_builder.hpp"

namespace jamiton {

// Those of the route, then those of the vehicle.
void DemandBuilder::find_stops(Draft& draft) {
    draft.trip.stop_begin = static_cast<std::uint32_t>(stops_.size());
    if (given_route_ >= 0) {
        const RouteDescription& route = description_.routes[static_cast<std::size_t>(given_route_)];
        const bool shared = !route.id.empty();
        for (const StopDescription& stop : route.stops)
            add_stop(draft, stop, shared ? draft.departure.planned : later_than_flow(draft));
    }
    for (const StopDescription& stop : draft.vehicle.stops) add_stop(draft, stop, later_than_flow(draft));
    const std::span<const Stop> stops = stops_of(draft);
    if (stops.size() > 255) fail(draft, "has ", stops.size(), " stops; at most 255 are simulated");
    draft.trip.stop_count = static_cast<std::uint8_t>(stops.size());
    stop_edges_.clear();
    if (!find_stop_places(network_, edges_, stops, stop_edges_)) {
        fail(draft, "has a stop on ", edge_name(network_.lanes[stops[stop_edges_.size()].lane].edge),
             ", which its route does not reach",
             !stop_edges_.empty() && stop_edges_.back() > 0 ? " after the stop before" : "");
    }
    const VehicleDescription& vehicle = draft.vehicle;
    if (!stops.empty() && stop_edges_[0] == 0 && vehicle.depart_pos == DepartPos::position &&
        vehicle.depart_pos_value > stops[0].end)
        fail(draft, "departs at ", vehicle.depart_pos_value, " m of ", edge_name(edges_[0]), ", behind its stop at ",
             stops[0].end, " m");
}

// s after the first vehicle of its flow.
double DemandBuilder::later_than_flow(const Draft& draft) const {
    const int flow = draft.departure.flow;
    const bool of_flow = flow >= 0 && static_cast<std::size_t>(flow) < description_.flows.size();
    return !of_flow ? 0 : draft.departure.planned - description_.flows[static_cast<std::size_t>(flow)].begin;
}

int DemandBuilder::lane_of_stop(const Draft& draft, const StopDescription& stop) const {
    if (!stop.any_lane) return stop.lane;
    const Edge& edge = network_.edges[network_.lanes[stop.lane].edge];
    for (int lane = edge.first_lane; lane < edge.first_lane + edge.lane_count; ++lane)
        if (may_use(draft, lane)) return lane;
    return stop.lane;
}

void DemandBuilder::add_stop(const Draft& draft, const StopDescription& stop, double shift) {
    const int lane = lane_of_stop(draft, stop);
    if (!may_use(draft, lane))
        fail(draft, "has a stop on lane \"", names_.lanes[static_cast<std::size_t>(lane)].id, "\", which its class ",
             name_of(class_of(draft)), " may not use");
    stops_.push_back(stop_of(stop, shift));
    stops_.back().lane = lane;
}

// shift: s by which `until` is later than it says. In a route with an id it counts from the departure, in a flow from
// that of its first vehicle (measured in SUMO 1.15).
Stop DemandBuilder::stop_of(const StopDescription& stop, double shift) const {
    Stop made;
    made.lane = stop.lane;
    made.start = stop.start_pos;
    made.end = stop.end_pos;
    made.place = stop.place;
    made.area = stop.area;
    made.speed = stop.speed;
    made.parking = stop.parking;
    made.duration = step_at(options_.begin + stop.duration);
    if (stop.until >= 0) made.until = step_at(stop.until + shift);
    return made;
}

void DemandBuilder::set_areas() {
    std::vector<ParkingArea> areas;
    std::vector<float> ends;
    for (const ParkingAreaDescription& area : description_.areas) {
        areas.push_back({static_cast<int>(ends.size()), static_cast<int>(area.lot_ends.size()), area.on_road});
        ends.insert(ends.end(), area.lot_ends.begin(), area.lot_ends.end());
    }
    demand_.areas = Array<ParkingArea>(areas);
    demand_.lot_end = Array<float>(ends);
}

std::int32_t DemandBuilder::step_at(double time) const {
    return static_cast<std::int32_t>(std::clamp(std::ceil((time - options_.begin) / options_.step - 1e-6), 0.0, 2e9));
}

void DemandBuilder::set_roadside() {
    for (const SpeedChangeDescription& change : description_.speed_changes)
        demand_.speed_changes.push_back({step_at(change.time), change.lane, change.speed});
    std::vector<EntryRule> rules;
    for (const EntryRuleDescription& rule : description_.entry_rules) {
        const int type = rule.type < 0 ? -1 : number_of_type(rule.type);
        rules.push_back({rule.edge, step_at(rule.begin), step_at(rule.end), type});
    }
    demand_.entry_rules = Array<EntryRule>(rules);
}

void DemandBuilder::set_rerouters() {
    for (const RerouterDescription& description : description_.rerouters) {
        Rerouter rerouter{description.edges, description.probability, description.types, {}};
        for (const RerouterInterval& said : description.intervals) {
            Rerouter::Interval interval{step_at(said.begin), step_at(said.end), said.closed, said.destinations,
                                        said.routes};
            for (int& route : interval.routes.members) {
                demand_.rerouter_routes.push_back(description_.routes[static_cast<std::size_t>(route)].edges);
                route = static_cast<int>(demand_.rerouter_routes.size()) - 1;
            }
            rerouter.intervals.push_back(std::move(interval));
        }
        demand_.rerouters.push_back(std::move(rerouter));
    }
    for (const LaneClosureDescription& said : description_.lane_closures)
        demand_.lane_closures.push_back({said.lane, step_at(said.begin), step_at(said.end), said.closed});
}

}  // namespace jamiton
