// What rerouters do to those who come onto their edges (as measured in SUMO 1.15).
#include <algorithm>

#include "engine/core/random.hpp"
#include "engine/motion.hpp"
#include "engine/rerouting.hpp"

namespace jamiton {
namespace {

// chance: uniform in [0, 1).
int choose(const Distribution& among, double chance) {
    double left = 0;
    for (const double weight : among.weights) left += weight * chance;
    std::size_t chosen = 0;
    while (chosen + 1 < among.members.size() && left >= among.weights[chosen]) left -= among.weights[chosen++];
    return among.members[chosen];
}

bool holds(const std::vector<int>& edges, int edge) {
    return std::find(edges.begin(), edges.end(), edge) != edges.end();
}

}  // namespace

int* Rerouting::met(int vehicles) {
    if (rerouters_.empty()) return nullptr;
    if (static_cast<int>(met_.size()) < vehicles + 1) {
        met_.resize(static_cast<std::size_t>(vehicles) + 1);
        met_[0] = 0;
    }
    return met_.data();
}

// Where an edge has several rerouters, each sees the routes that the one before has made.
void Rerouting::divert(const Exec& exec, const World& world, Demand& demand, Met met) {
    if (rerouters_.empty()) return;
    synchronize(exec);
    std::vector<std::uint32_t> vehicles(met_.data() + 1, met_.data() + 1 + met_[0]);
    met_[0] = 0;
    std::sort(vehicles.begin(), vehicles.end());
    for (std::size_t turn = 0; !vehicles.empty(); ++turn) {
        queries_.clear();
        std::erase_if(vehicles, [&](std::uint32_t vehicle) {
            const int index = world.now.where[vehicle];
            if (index < 0 || world.now.kinematics[index].lane == gone) return true;
            const int edge = demand.stretch(world.now.attributes[index].route_at).edge;
            const auto first = std::lower_bound(rerouters_.begin(), rerouters_.end(), std::pair(edge, std::size_t{0}));
            const auto place = static_cast<std::size_t>(first - rerouters_.begin()) + turn;
            if (place >= rerouters_.size() || rerouters_[place].first != edge) return true;
            meet(vehicle, rerouters_[place].second, index, world, demand, met);
            return false;
        });
        search(exec);
        replace_routes(world, demand);
    }
}

void Rerouting::meet(std::uint32_t vehicle, std::size_t number, int index, const World& world, Demand& demand,
                     Met met) {
    const Rerouter& rerouter = demand.rerouters[number];
    const auto step = static_cast<std::int32_t>(world.step);
    const auto interval = std::find_if(rerouter.intervals.begin(), rerouter.intervals.end(),
                                       [step](const auto& i) { return i.begin <= step && step < i.end; });
    if (interval == rerouter.intervals.end()) return;
    const std::vector<std::string>& types = rerouter.types;
    const std::string& type = demand.types[demand.trips[vehicle].type].id;
    if (!types.empty() && std::find(types.begin(), types.end(), type) == types.end()) return;
    const RandomWords r = philox(world.seed, vehicle, world.step, static_cast<std::uint32_t>(Purpose::rerouter),
                                 static_cast<std::uint32_t>(number));
    if (uniform_double(r.word[0]) >= rerouter.probability) return;
    add_diversion(vehicle, index, *interval, uniform_double(r.word[1]), world, demand, met);
}

// Closed edges matter to those whose way leads over one, and to nobody else.
void Rerouting::add_diversion(std::uint32_t vehicle, int index, const Rerouter::Interval& interval, double chance,
                              const World& world, Demand& demand, Met met) {
    const Trip& trip = demand.trips[vehicle];
    const std::uint32_t origin = origin_of(world, demand, index), end = trip.route_begin + trip.route_length;
    if (origin >= end) return;
    std::vector<int> passed = edges_of(demand, trip.route_begin, origin + 1);
    const int from = passed.back(), destination = demand.stretch(end - 1).edge;
    passed.pop_back();
    add_query(vehicle, demand, {from}, std::move(passed));
    Query& query = queries_.back();
    query.skips_stops = true;
    if (!interval.closed.empty()) {
        const std::vector<int> ahead = edges_of(demand, origin, end);
        const bool affected = std::any_of(ahead.begin(), ahead.end(), [&](int e) { return holds(interval.closed, e); });
        if (affected && !holds(interval.closed, from)) go_to(query, destination, interval, demand);
    } else if (!interval.routes.members.empty()) {
        follow(query, demand.rerouter_routes[static_cast<std::size_t>(choose(interval.routes, chance))]);
    } else if (!interval.destinations.members.empty()) {
        const int edge = choose(interval.destinations, chance);
        if (edge == end_trip_here) return end_at_once(index, world, demand, met);
        go_to(query, edge == keep_destination ? destination : edge, interval, demand);
    }
}

// Free flow counts for those who are not routed by measured times. A closed destination ends the trip on this edge.
void Rerouting::go_to(Query& query, int edge, const Rerouter::Interval& interval, const Demand& demand) const {
    const std::vector<std::uint32_t>& open = demand.open_routes.trips;
    query.measured = std::binary_search(open.begin(), open.end(), query.vehicle);
    query.closed = interval.closed;
    if (edge == query.via[0] || holds(interval.closed, edge)) {
        query.found = query.via;
    } else {
        query.via.push_back(edge);
    }
}

// From here on, where it leads over here and the vehicle may drive there.
void Rerouting::follow(Query& query, const std::vector<int>& route) const {
    const auto here = std::find(route.begin(), route.end(), query.via[0]);
    if (here == route.end()) return;
    for (auto edge = here; edge + 1 != route.end(); ++edge)
        if (!query.graph->connects(edge[0], edge[1])) return;
    query.found.assign(here, route.end());
}

// Under way now, else, as the vehicle that has just entered is where its trip ends, in the next step.
void Rerouting::end_at_once(int index, const World& world, Demand& demand, Met met) {
    Query query = std::move(queries_.back());
    queries_.pop_back();
    Trip& trip = demand.trips[query.vehicle];
    const std::uint32_t here = world.now.attributes[index].route_at - trip.route_begin;
    const std::vector<int> edges = edges_of(demand, trip.route_begin, trip.route_begin + here + 1);
    const bool shorter = edges.size() < edges_of(demand, trip.route_begin, trip.route_begin + trip.route_length).size();
    TripResult& result = world.demand.results[query.vehicle];
    if (shorter && result.reroutes < 0xFF) ++result.reroutes;
    trip.arrival_pos = world.now.kinematics[index].position;
    trip.arrival_lane = -1;
    query.passed = {edges.begin(), edges.end() - 1};
    find_stops(query, edges, world, demand);
    set_route(query.vehicle, edges, world, demand);
    if (met == Met::under_way) end_trip(world, index);
}

}  // namespace jamiton
