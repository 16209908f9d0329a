#include "engine/rerouting.hpp"

#include <atomic>
#include <cmath>

#include "engine/core/check.hpp"
#include "engine/observation.hpp"

namespace jamiton {
namespace {

// Of a route in the pool, those of stops once.
std::vector<int> edges_of(const Demand& demand, const Trip& trip) {
    std::vector<int> edges;
    bool same_edge = false;
    for (std::uint32_t at = trip.route_begin; at < trip.route_begin + trip.route_length; ++at) {
        const Stretch& stretch = demand.stretches[demand.route_pool[at]];
        if (!same_edge) edges.push_back(stretch.edge);
        same_edge = stretch.to_stop != 0;
    }
    return edges;
}

}  // namespace

Rerouting::Rerouting(const NetworkDescription& names, const Network& network, const Demand& demand, double step)
    : network_(network),
      permitted_(connection_permissions(names, network)),
      graphs_(network, permitted_, demand.open_routes.options.minor_penalty),
      pool_(network, permitted_),
      speeds_(network, demand.open_routes.options, step),
      pre_period_(static_cast<std::int32_t>(std::min(std::ceil(demand.open_routes.options.pre_period / step), 1e9))) {
    pool_.begin_behind(demand);
}

void Rerouting::route_departures(const Exec& exec, std::int32_t step, Demand& demand, TripResult* results) {
    collect(step, demand, results);
    if (queries_.empty()) return;
    synchronize(exec);
    search(exec);
    for (const Query& query : queries_) {
        TripResult& result = results[query.vehicle];
        // SUMO counts the first route too, where there is more to it than the edges given.
        const bool first = result.status == static_cast<std::uint8_t>(TripStatus::not_due);
        const bool changed = replace_route(query, demand);
        const bool counts = first ? query.found.size() > query.via.size() : changed;
        if (counts && result.reroutes < 0xFF) ++result.reroutes;
    }
    pool_.append_to(demand);
}

void Rerouting::collect(std::int32_t step, const Demand& demand, const TripResult* results) {
    queries_.clear();
    const OpenRoutes& open = demand.open_routes;
    const std::size_t fresh = next_;
    while (next_ < open.trips.size() && demand.trips[open.trips[next_]].depart_step <= step) add_query(next_++, demand);
    std::vector<std::size_t> waiting;
    for (; !again_.empty() && again_.begin()->first <= step; again_.erase(again_.begin())) {
        for (const std::size_t n : again_.begin()->second) {
            if (results[open.trips[n]].status != static_cast<std::uint8_t>(TripStatus::waiting)) continue;
            add_query(n, demand);
            waiting.push_back(n);
        }
    }
    if (pre_period_ == 0 || queries_.empty()) return;
    for (std::size_t n = fresh; n < next_; ++n) waiting.push_back(n);
    again_[step + pre_period_] = std::move(waiting);
}

void Rerouting::add_query(std::size_t open, const Demand& demand) {
    const OpenRoutes& routes = demand.open_routes;
    const std::uint32_t vehicle = routes.trips[open];
    const Trip& trip = demand.trips[vehicle];
    const VehicleType& type = demand.types[trip.type];
    const std::span<const int> via = routes.via;
    const std::uint32_t begin = routes.via_begin[open], end = routes.via_begin[open + 1];
    queries_.push_back({.vehicle = vehicle,
                        .via = via.subspan(begin, end - begin),
                        .graph = &graphs_.of(type.vehicle_class),
                        .driving = driving_of(type, static_cast<float>(trip.speed_factor) / Trip::factor_unit),
                        .found = {}});
}

void Rerouting::search(const Exec& exec) {
    constexpr int worth_a_thread = 4;
    routers_.resize(static_cast<std::size_t>(exec.threads->size()));
    std::atomic<std::size_t> taken = 0;
    exec.threads->for_each_chunk(static_cast<int>(queries_.size()), worth_a_thread, [&](int begin, int end) {
        Router& router = routers_[taken++];
        for (int n = begin; n < end; ++n) {
            Query& query = queries_[static_cast<std::size_t>(n)];
            query.found = router.route(*query.graph, query.via, query.driving, speeds_.times());
        }
    });
}

// False: it is the one that it has. When demand was built there was a way, so there is one.
bool Rerouting::replace_route(const Query& query, Demand& demand) {
    Trip& trip = demand.trips[query.vehicle];
    if (query.found.empty() || query.found == edges_of(demand, trip)) return false;
    const std::span<Stop> stops(demand.stops.data() + trip.stop_begin, trip.stop_count);
    if (!find_stop_places(network_, query.found, stops, stop_places_)) return false;
    const VehicleType& type = demand.types[trip.type];
    const StretchPool::Range range =
        pool_.intern(query.found, type.vehicle_class, arrival_of(trip, type, query.found.back()), stops, stop_places_);
    const std::uint32_t length = range.end - range.begin;
    if (length > 0xFFFF)
        throw InputError(text("vehicle \"", demand.ids[query.vehicle], "\" has a route of ", length,
                              " edges; at most 65535 are simulated"));
    trip.route_begin = range.begin;
    trip.route_length = static_cast<std::uint16_t>(length);
    pool_.append_to(demand);
    return true;
}

ArrivalPlace Rerouting::arrival_of(const Trip& trip, const VehicleType& type, int edge) const {
    const Edge& e = network_.edges[edge];
    int lane = e.first_lane + std::max<int>(trip.arrival_lane, 0);
    while (trip.arrival_lane < 0 && !permits(network_.lanes[lane].allowed, type.vehicle_class)) ++lane;
    return {.lane = trip.arrival_lane,
            .position = trip.arrival_pos < network_.lanes[lane].length ? trip.arrival_pos : -1};
}

}  // namespace jamiton
