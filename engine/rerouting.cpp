#include "engine/rerouting.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "agents/braking.hpp"
#include "engine/core/check.hpp"

namespace jamiton {
std::vector<int> edges_of(const Demand& demand, std::uint32_t begin, std::uint32_t end) {
    std::vector<int> edges;
    bool same_edge = false;
    for (std::uint32_t at = begin; at < end; ++at) {
        const LaneChoice& stretch = demand.stretch(at);
        if (!same_edge) edges.push_back(stretch.edge);
        same_edge = stretch.to_stop != 0;
    }
    return edges;
}

std::uint32_t origin_of(const World& w, const Demand& demand, int i) {
    const Kinematics& k = w.now.kinematics[i];
    const std::uint32_t at = w.now.attributes[i].route_at;
    const Lane& lane = w.net.lanes[k.lane];
    const LaneChoice& here = demand.stretch(at);
    const Driver& d = w.driver(i);
    const bool committed =
        lane.is_internal() ||
        (!here.last && !here.to_stop && k.position + brake_gap(k.speed, d.decel, d.tau, w.method) > lane.length);
    return committed ? at + 1 : at;
}

Rerouting::Rerouting(const NetworkDescription& names, const Network& network, const Demand& demand, double begin,
                     double step)
    : network_(network),
      permitted_(connection_permissions(names, network)),
      graphs_(network, permitted_, demand.open_routes.options.minor_penalty, demand.zones),
      pool_(network, permitted_),
      speeds_(network, demand.open_routes.options, step),
      pre_period_(static_cast<std::int32_t>(std::min(std::ceil(demand.open_routes.options.pre_period / step), 1e9))),
      measures_(!demand.open_routes.trips.empty()) {
    pool_.begin_behind(demand);
    if (demand.open_routes.options.synchronize) phase_ = std::llround(begin / step);
    for (std::size_t n = 0; n < demand.open_routes.trips.size(); ++n) {
        const std::int32_t period = demand.open_routes.period[n];
        if (period > 0)
            under_way_[next_time(demand.trips[demand.open_routes.trips[n]].depart_step, period)].push_back(n);
    }
    for (std::size_t n = 0; n < demand.rerouters.size(); ++n)
        for (const int edge : demand.rerouters[n].edges) rerouters_.emplace_back(edge, n);
    std::sort(rerouters_.begin(), rerouters_.end());
    for (const LaneClosure& closure : demand.lane_closures) {
        closure_steps_.insert(closure_steps_.end(), {closure.begin, closure.end});
        own_lanes_.push_back(network.lanes[closure.lane].allowed);
    }
    std::sort(closure_steps_.rbegin(), closure_steps_.rend());
    if (!closure_steps_.empty()) own_connections_ = permitted_;
}

std::int32_t Rerouting::next_time(std::int32_t after, std::int32_t period) const {
    if (phase_ < 0) return after + period;
    return static_cast<std::int32_t>(after + period - (phase_ + after) % period);
}

void Rerouting::route_departures(const Exec& exec, const World& world, Demand& demand) {
    synchronize(exec);
    collect_departures(world, demand);
    if (queries_.empty()) return;
    search(exec);
    for (const Query& query : queries_) {
        TripResult& result = world.demand.results[query.vehicle];
        // SUMO counts the first route too, where there is more to it than the edges given.
        const bool changed = replace_route(query, world, demand);
        const bool counts = changed || (query.first && query.found.size() > query.via.size());
        if (counts && result.reroutes < 0xFF) ++result.reroutes;
    }
    pool_.append_to(demand);
}

void Rerouting::collect_departures(const World& world, const Demand& demand) {
    queries_.clear();
    const OpenRoutes& open = demand.open_routes;
    const auto step = static_cast<std::int32_t>(world.step);
    std::vector<std::size_t> routed;
    for (; next_ < open.trips.size() && demand.trips[open.trips[next_]].depart_step <= step; ++next_) {
        routed.push_back(next_);
        add_query(next_, demand);
        queries_.back().first = true;
    }
    for (; !waiting_.empty() && waiting_.begin()->first <= step; waiting_.erase(waiting_.begin())) {
        for (const std::size_t n : waiting_.begin()->second) {
            const std::uint32_t vehicle = open.trips[n];
            const bool waits =
                world.demand.results[vehicle].depart_step < 0 && !has_status(world, vehicle, TripStatus::removed);
            if (!waits) continue;
            routed.push_back(n);
            add_query(n, demand);
        }
    }
    if (pre_period_ > 0 && !routed.empty()) waiting_[step + pre_period_] = std::move(routed);
}

void Rerouting::route_under_way(const Exec& exec, const World& world, Demand& demand) {
    if (under_way_.empty() || under_way_.begin()->first > static_cast<std::int32_t>(world.step)) return;
    synchronize(exec);
    collect_under_way(world, demand);
    search(exec);
    replace_routes(world, demand);
}

// One that is not on its way yet, or away from the road, is looked at again a period later.
void Rerouting::collect_under_way(const World& world, const Demand& demand) {
    queries_.clear();
    const OpenRoutes& open = demand.open_routes;
    const auto step = static_cast<std::int32_t>(world.step);
    const std::vector<std::size_t> due = std::move(under_way_.begin()->second);
    under_way_.erase(under_way_.begin());
    for (const std::size_t n : due) {
        const std::uint32_t vehicle = open.trips[n];
        const TripResult& result = world.demand.results[vehicle];
        if (has_status(world, vehicle, TripStatus::arrived) || has_status(world, vehicle, TripStatus::removed))
            continue;
        const std::int32_t first = next_time(result.depart_step, open.period[n]);
        const bool too_early = result.depart_step >= 0 && first > step;
        under_way_[too_early ? first : next_time(step, open.period[n])].push_back(n);
        const int index = world.now.where[vehicle];
        if (result.depart_step >= 0 && !too_early && index >= 0) add_query_under_way(n, index, world, demand);
    }
}

void Rerouting::add_query(std::size_t open, const Demand& demand) {
    const OpenRoutes& routes = demand.open_routes;
    const auto via = routes.via.begin();
    add_query(routes.trips[open], demand, {via + routes.via_begin[open], via + routes.via_begin[open + 1]}, {});
}

// From where it can turn off, over the stops that it has not made and the edges given that it has not passed.
void Rerouting::add_query_under_way(std::size_t open, int index, const World& world, const Demand& demand) {
    const OpenRoutes& routes = demand.open_routes;
    const std::uint32_t vehicle = routes.trips[open];
    const Trip& trip = demand.trips[vehicle];
    const std::uint32_t origin = origin_of(world, demand, index), end = trip.route_begin + trip.route_length;
    if (origin >= end) return;
    std::vector<int> passed = edges_of(demand, trip.route_begin, origin + 1);
    std::vector<int> via{passed.back()};
    passed.pop_back();
    std::uint32_t given = routes.via_begin[open];
    const std::uint32_t last = routes.via_begin[open + 1] - 1;
    const int edge_count = static_cast<int>(network_.edges.size());
    if (routes.via[given] >= edge_count) ++given;  // the zone that it has come from
    for (const int edge : passed) given += given < last && routes.via[given] == edge ? 1 : 0;
    if (given < last && routes.via[given] == via[0]) ++given;
    via.insert(via.end(), routes.via.begin() + given, routes.via.begin() + last + 1);
    // On its way it keeps the edge that it has chosen.
    if (via.back() >= edge_count) via.back() = edges_of(demand, end - 1, end).back();
    add_query(vehicle, demand, std::move(via), std::move(passed));
}

void Rerouting::add_query(std::uint32_t vehicle, const Demand& demand, std::vector<int> via, std::vector<int> passed) {
    const Trip& trip = demand.trips[vehicle];
    const VehicleType& type = demand.types[trip.type];
    queries_.push_back({.vehicle = vehicle,
                        .via = std::move(via),
                        .graph = &graphs_.of(type.vehicle_class),
                        .driving = driving_of(type, static_cast<float>(trip.speed_factor) / Trip::factor_unit),
                        .passed = std::move(passed),
                        .found = {},
                        .first = false});
}

void Rerouting::search(const Exec& exec) {
    constexpr int worth_a_thread = 4;
    routers_.resize(static_cast<std::size_t>(exec.threads->size()));
    std::atomic<std::size_t> taken = 0;
    exec.threads->for_each_chunk(static_cast<int>(queries_.size()), worth_a_thread, [&](int begin, int end) {
        Router& router = routers_[taken++];
        for (int n = begin; n < end; ++n) {
            Query& query = queries_[static_cast<std::size_t>(n)];
            if (query.via.size() < 2) continue;
            query.found = router.route(*query.graph, query.via, query.driving,
                                       query.measured ? speeds_.times() : nullptr, query.closed);
        }
    });
}

void Rerouting::replace_routes(const World& world, Demand& demand) {
    for (const Query& query : queries_) {
        TripResult& result = world.demand.results[query.vehicle];
        if (replace_route(query, world, demand) && result.reroutes < 0xFF) ++result.reroutes;
    }
    pool_.append_to(demand);
}

// False: it is the one that it has, or leaves out a stop, or there is none. The edges passed stay in the route, so that
// a place in it is as far from its start as before.
bool Rerouting::replace_route(const Query& query, const World& world, Demand& demand) {
    Trip& trip = demand.trips[query.vehicle];
    if (query.found.empty()) return false;
    std::vector<int> edges = query.passed;
    edges.insert(edges.end(), query.found.begin(), query.found.end());
    const std::vector<int> before = edges_of(demand, trip.route_begin, trip.route_begin + trip.route_length);
    if (edges == before || !find_stops(query, edges, world, demand)) return false;
    const bool on_road = world.demand.results[query.vehicle].depart_step >= 0;
    if (!on_road) set_origin(trip, edges.front(), demand);
    set_destination(query.vehicle, before.back(), edges.back(), demand);
    if (on_road && before.back() != edges.back()) forget_via(query.vehicle, edges.back(), demand.open_routes);
    set_route(query.vehicle, edges, world, demand);
    return true;
}

// Where on these edges the stops are, in stop_places_. False: one is not there.
bool Rerouting::find_stops(const Query& query, const std::vector<int>& edges, const World& world, Demand& demand) {
    Trip& trip = demand.trips[query.vehicle];
    Stop* stops = demand.stops.data() + trip.stop_begin;
    const std::uint32_t made = trip.stop_count == 0 ? 0 : world.demand.stop_progress[trip.stop_begin].done;
    stop_places_.clear();
    for (std::uint32_t n = 0; n < made; ++n) stop_places_.push_back(stops[n].route_at - trip.route_begin - n);
    while (!find_stop_places(network_, edges, {stops, trip.stop_count}, stop_places_, query.passed.size())) {
        if (!query.skips_stops) return false;
        const std::size_t missed = stop_places_.size();
        std::copy(stops + missed + 1, stops + trip.stop_count, stops + missed);
        --trip.stop_count;
    }
    return true;
}

// Over these edges, with the stops in stop_places_.
void Rerouting::set_route(std::uint32_t vehicle, const std::vector<int>& edges, const World& world, Demand& demand) {
    Trip& trip = demand.trips[vehicle];
    const VehicleType& type = demand.types[trip.type];
    const std::span<Stop> stops(demand.stops.data() + trip.stop_begin, trip.stop_count);
    const StretchPool::Range range =
        pool_.intern(edges, type.vehicle_class, arrival_of(trip, type, edges.back()), stops, stop_places_);
    const std::uint32_t length = range.end - range.begin;
    if (length > 0xFFFF)
        throw InputError(text("vehicle \"", demand.ids[vehicle], "\" has a route of ", length,
                              " edges; at most 65535 are simulated"));
    pool_.append_to(demand);
    const int index = world.now.where[vehicle];
    if (index >= 0) {
        Attributes& a = world.now.attributes[index];
        a.route_at += range.begin - trip.route_begin;
        const bool last = demand.stretch(a.route_at).last != 0;
        const bool has_stops = !stops.empty() && world.demand.stop_progress[trip.stop_begin].done < stops.size();
        a.flags =
            static_cast<std::uint16_t>((a.flags & ~(Attributes::on_last_edge | Attributes::has_stops)) |
                                       (last ? Attributes::on_last_edge : 0) | (has_stops ? Attributes::has_stops : 0));
    }
    trip.route_begin = range.begin;
    trip.route_length = static_cast<std::uint16_t>(length);
}

// Who leaves at the end of a lane does so elsewhere too.
void Rerouting::set_destination(std::uint32_t vehicle, int from, int to, Demand& demand) {
    if (from == to) return;
    Trip& trip = demand.trips[vehicle];
    const VehicleType& type = demand.types[trip.type];
    const bool at_end = trip.arrival_pos >= network_.lanes[arrival_lane(trip, type, from)].length;
    const Edge& edge = network_.edges[to];
    const int lane = edge.first_lane + trip.arrival_lane;
    const bool possible = trip.arrival_lane >= 0 && trip.arrival_lane < edge.lane_count &&
                          permits(network_.lanes[lane].allowed, type.vehicle_class);
    if (!possible) trip.arrival_lane = -1;
    const float length = network_.lanes[arrival_lane(trip, type, to)].length;
    trip.arrival_pos = at_end ? length : std::min(trip.arrival_pos, length);
}

// A lane that is not there gives way to the first.
void Rerouting::set_origin(Trip& trip, int edge, const Demand& demand) {
    if (trip.depart_lane != DepartLane::index) return;
    const Edge& e = network_.edges[edge];
    const int lane = e.first_lane + trip.depart_lane_index;
    const bool possible = trip.depart_lane_index < e.lane_count &&
                          permits(network_.lanes[lane].allowed, demand.types[trip.type].vehicle_class);
    if (!possible) trip.depart_lane = DepartLane::first;
}

// From now on it drives to another destination, whatever it was told.
void Rerouting::forget_via(std::uint32_t vehicle, int to, OpenRoutes& open) {
    const auto place = std::lower_bound(open.trips.begin(), open.trips.end(), vehicle);
    if (place == open.trips.end() || *place != vehicle) return;
    const auto n = static_cast<std::size_t>(place - open.trips.begin());
    std::fill(open.via.begin() + open.via_begin[n], open.via.begin() + open.via_begin[n + 1], to);
}

// The first that it may use, where it may arrive on any.
int Rerouting::arrival_lane(const Trip& trip, const VehicleType& type, int edge) const {
    const Edge& e = network_.edges[edge];
    if (trip.arrival_lane >= 0) return e.first_lane + trip.arrival_lane;
    for (int lane = e.first_lane; lane < e.first_lane + e.lane_count; ++lane)
        if (permits(network_.lanes[lane].allowed, type.vehicle_class)) return lane;
    return e.first_lane;  // all are closed
}

ArrivalPlace Rerouting::arrival_of(const Trip& trip, const VehicleType& type, int edge) const {
    const float length = network_.lanes[arrival_lane(trip, type, edge)].length;
    return {.lane = trip.arrival_lane, .position = trip.arrival_pos < length ? trip.arrival_pos : -1};
}

}  // namespace jamiton
