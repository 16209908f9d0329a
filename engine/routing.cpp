#include "engine/routing.hpp"

#include <algorithm>
#include <bit>

namespace jamiton {
namespace {

constexpr std::size_t known_routes = 1u << 16;  // kept for equal queries

// Calls f(lane, connection onto it) for the internal lanes that a connection passes.
template <class F>
void for_each_inside(const Network& network, const Connection& connection, F&& f) {
    const Connection* onto = &connection;
    while (network.lanes[onto->next_lane].is_internal()) {
        const Lane& lane = network.lanes[onto->next_lane];
        f(lane, *onto);
        if (lane.exit < 0) return;
        onto = &network.connections[lane.exit];
    }
}

// SUMO's states in capitals have priority: M, O, Z.
bool gives_way(const Connection& c) { return c.signal < 0 && !(c.state >= 'A' && c.state <= 'Z'); }

double free_time(const Network& network, int lane, VehicleClass c) {
    const Lane& l = network.lanes[lane];
    return static_cast<double>(l.length) /
           std::max(static_cast<double>(network.view().speed_limit(l, static_cast<int>(c))), 1e-3);
}

ClassGraph::Way way_over(const Network& network, const Connection& connection, VehicleClass c, double minor_penalty) {
    ClassGraph::Way way{.to = connection.to_edge};
    for_each_inside(network, connection, [&](const Lane& lane, const Connection& onto) {
        // The parallel lanes of a turn count as its rightmost one, as in SUMO.
        const int first = network.edges[lane.edge].first_lane;
        const bool minor = minor_penalty > 0 && gives_way(onto);
        (minor ? way.minor_length : way.length) += network.lanes[first].length;
        (minor ? way.minor_time : way.time) += free_time(network, first, c);
        if (minor) way.penalty += minor_penalty;
    });
    return way;
}

}  // namespace

std::vector<Permissions> connection_permissions(const NetworkDescription& names, const Network& network) {
    std::vector<Permissions> permitted(network.connections.size(), all_classes);
    for (std::size_t d = 0; d < names.connections.size(); ++d) {
        permitted[static_cast<std::size_t>(network.connection_of_description[d])] = names.connections[d].allowed;
    }
    for (std::size_t k = 0; k < permitted.size(); ++k) {
        const Connection& c = network.connections[k];
        permitted[k] &= network.lanes[c.from_lane].allowed & network.lanes[c.to_lane].allowed;
        for_each_inside(network, c, [&](const Lane& lane, const Connection&) { permitted[k] &= lane.allowed; });
    }
    return permitted;
}

bool ClassGraph::connects(int from, int to) const {
    const auto e = static_cast<std::size_t>(from);
    return std::any_of(ways.begin() + begin[e], ways.begin() + begin[e + 1],
                       [&](const Way& way) { return way.to == to; });
}

Router::Router(const Network& network, const std::vector<Permissions>& permitted, double minor_penalty)
    : network_(network),
      permitted_(permitted),
      minor_penalty_(minor_penalty),
      graphs_(static_cast<std::size_t>(VehicleClass::count)) {}

const ClassGraph& Router::graph(VehicleClass c) {
    std::unique_ptr<ClassGraph>& made = graphs_[static_cast<std::size_t>(c)];
    if (made) return *made;
    made = std::make_unique<ClassGraph>();
    made->begin.push_back(0);
    for (std::size_t e = 0; e < network_.edges.size(); ++e) {
        const Edge& edge = network_.edges[e];
        const bool inside = edge.lane_count == 0 || network_.lanes[edge.first_lane].is_internal();
        const auto first = static_cast<std::ptrdiff_t>(made->ways.size());
        const int from = inside ? 0 : network_.connection_begin[edge.first_lane];
        const int to = inside ? 0 : network_.connection_begin[edge.first_lane + edge.lane_count];
        for (int k = from; k < to; ++k) {
            const Connection& connection = network_.connections[k];
            if (!permits(permitted_[static_cast<std::size_t>(k)], c)) continue;
            const bool there = std::any_of(made->ways.begin() + first, made->ways.end(),
                                           [&](const auto& w) { return w.to == connection.to_edge; });
            if (!there) made->ways.push_back(way_over(network_, connection, c, minor_penalty_));
        }
        made->begin.push_back(static_cast<int>(made->ways.size()));
        made->length.push_back(static_cast<double>(edge.length));
        made->time.push_back(edge.lane_count == 0 ? 0 : free_time(network_, edge.first_lane, c));
    }
    return *made;
}

const std::vector<int>& Router::route(std::span<const int> via, const Driving& driving) {
    std::vector<std::uint32_t> query{static_cast<std::uint32_t>(driving.vehicle_class),
                                     std::bit_cast<std::uint32_t>(driving.speed_factor),
                                     std::bit_cast<std::uint32_t>(driving.max_speed)};
    query.insert(query.end(), via.begin(), via.end());
    if (const auto known = known_.find(query); known != known_.end()) return known->second;

    found_.assign(1, via[0]);
    for (std::size_t leg = 0; leg + 1 < via.size(); ++leg) {
        const std::size_t joint = found_.size();
        if (!search(via[leg], via[leg + 1], graph(driving.vehicle_class), driving)) {
            broken_leg_ = static_cast<int>(leg);
            found_.clear();
            return found_;
        }
        for (int edge = via[leg + 1]; edge != via[leg]; edge = previous_[static_cast<std::size_t>(edge)])
            found_.push_back(edge);
        std::reverse(found_.begin() + static_cast<std::ptrdiff_t>(joint), found_.end());
    }
    if (known_.size() >= known_routes) known_.clear();
    return known_.emplace(std::move(query), found_).first->second;
}

// Dijkstra's algorithm from edge to edge. As in SUMO nobody expects to be faster than the limit, whatever the speed
// factor, but on the lanes that cost the minor penalty; slower drivers and vehicles count with their own speed. The
// cost of an edge is the time until its end is reached. Of equal costs the edge with the lower index is settled first,
// and the first way found to an edge stays.
bool Router::search(int from, int to, const ClassGraph& graph, const Driving& driving) {
    const std::size_t edges = network_.edges.size();
    cost_.resize(edges);
    previous_.resize(edges);
    reached_.resize(edges, 0);
    settled_.resize(edges, 0);
    ++search_;
    heap_.clear();
    const double pace = 1 / static_cast<double>(driving.max_speed),
                 slowness = 1 / static_cast<double>(driving.speed_factor);
    const auto time = [&](double length, double at_factor_one) {
        return std::max(length * pace, at_factor_one * slowness);
    };
    reached_[static_cast<std::size_t>(from)] = search_;
    cost_[static_cast<std::size_t>(from)] = 0;
    push(0, from);
    while (!heap_.empty()) {
        const int edge = pop();
        const auto e = static_cast<std::size_t>(edge);
        if (edge == to) return true;
        if (settled_[e] == search_) continue;
        settled_[e] = search_;
        const double end = cost_[e] + std::max(time(graph.length[e], graph.time[e]), graph.time[e]);
        for (int k = graph.begin[e]; k < graph.begin[e + 1]; ++k) {
            const ClassGraph::Way& way = graph.ways[static_cast<std::size_t>(k)];
            const auto next = static_cast<std::size_t>(way.to);
            const double inside = std::max(way.time, time(static_cast<double>(way.length), way.time));
            const double cost =
                end + inside + time(static_cast<double>(way.minor_length), way.minor_time) + way.penalty;
            if (reached_[next] == search_ && cost >= cost_[next]) continue;
            reached_[next] = search_;
            cost_[next] = cost;
            previous_[next] = edge;
            push(cost, way.to);
        }
    }
    return false;
}

namespace {
constexpr auto later = [](const auto& a, const auto& b) {
    return a.cost != b.cost ? a.cost > b.cost : a.edge > b.edge;
};
}

void Router::push(double cost, int edge) {
    heap_.push_back({cost, edge});
    std::push_heap(heap_.begin(), heap_.end(), later);
}

int Router::pop() {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    const int edge = heap_.back().edge;
    heap_.pop_back();
    return edge;
}

}  // namespace jamiton
