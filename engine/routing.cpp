#include "engine/routing.hpp"

#include <algorithm>

namespace jamiton {
namespace {

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

}  // namespace

// How long one driver takes. As in SUMO nobody expects to be faster than the limit, whatever the speed factor, but on
// the lanes that cost the minor penalty; slower drivers and vehicles count with their own speed. A measured time counts
// where it is longer than this, the penalty included (measured in SUMO 1.15).
struct TravelTime {
    double pace, slowness;  // s/m at the greatest speed, s per s at speed factor 1
    const float* measured;

    TravelTime(const Driving& driving, const float* measured_time)
        : pace(1 / static_cast<double>(driving.max_speed)),
          slowness(1 / static_cast<double>(driving.speed_factor)),
          measured(measured_time) {}
    double own(double length, double at_factor_one) const { return std::max(length * pace, at_factor_one * slowness); }
    double in_traffic(int edge, double free) const {
        return measured == nullptr ? free : std::max(free, static_cast<double>(measured[edge]));
    }
    double on(const ClassGraph& graph, int edge) const {
        if (edge >= graph.edge_count) return 0;
        const auto e = static_cast<std::size_t>(edge);
        return in_traffic(edge, std::max(own(graph.length[e], graph.time[e]), graph.time[e]));
    }
    double on(const ClassGraph::Inside& inside) const {
        const double free = own(static_cast<double>(inside.length), inside.time);
        return in_traffic(inside.edge, inside.penalty > 0 ? free + inside.penalty : std::max(free, inside.time));
    }
};

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

Driving driving_of(const VehicleType& type, float speed_factor) {
    return {type.vehicle_class, speed_factor, std::min(type.max_speed, type.desired_max_speed * speed_factor)};
}

const ClassGraph& ClassGraphs::of(VehicleClass c) {
    std::unique_ptr<ClassGraph>& made = graphs_[static_cast<std::size_t>(c)];
    if (made) return *made;
    made = std::make_unique<ClassGraph>();
    made->edge_count = static_cast<int>(network_.edges.size());
    made->begin.push_back(0);
    const std::vector<std::vector<int>> ends = zones_at_edges();
    for (int e = 0; e < made->edge_count; ++e) {
        const Edge& edge = network_.edges[e];
        if (edge.lane_count > 0 && !network_.lanes[edge.first_lane].is_internal()) add_ways(*made, edge, c);
        for (const int zone : ends[static_cast<std::size_t>(e)])
            made->ways.push_back(
                {.to = end_in(zone, made->edge_count), .inside_begin = static_cast<int>(made->inside.size())});
        add_row(*made, static_cast<double>(edge.length),
                edge.lane_count == 0 ? 0 : free_time(network_, edge.first_lane, c));
    }
    for (const Zone& zone : zones_) {
        add_sources(*made, zone, c);
        add_row(*made, 0, 0);
        add_row(*made, 0, 0);  // nothing goes on from its end
    }
    made->ways.push_back({.to = -1, .inside_begin = static_cast<int>(made->inside.size())});
    return *made;
}

// Per edge the zones where trips end there.
std::vector<std::vector<int>> ClassGraphs::zones_at_edges() const {
    std::vector<std::vector<int>> zones(network_.edges.size());
    for (std::size_t z = 0; z < zones_.size(); ++z)
        for (const int edge : zones_[z].sinks) zones[static_cast<std::size_t>(edge)].push_back(static_cast<int>(z));
    return zones;
}

// Closes the row of an edge.
void ClassGraphs::add_row(ClassGraph& graph, double length, double time) {
    graph.begin.push_back(static_cast<int>(graph.ways.size()));
    graph.length.push_back(length);
    graph.time.push_back(time);
}

void ClassGraphs::add_sources(ClassGraph& graph, const Zone& zone, VehicleClass c) const {
    for (const int source : zone.sources) {
        const Edge& edge = network_.edges[source];
        bool usable = false;
        for (int k = 0; k < edge.lane_count; ++k)
            usable = usable || permits(network_.lanes[edge.first_lane + k].allowed, c);
        if (usable) graph.ways.push_back({.to = source, .inside_begin = static_cast<int>(graph.inside.size())});
    }
}

void ClassGraphs::add_ways(ClassGraph& graph, const Edge& edge, VehicleClass c) const {
    const auto first = static_cast<std::ptrdiff_t>(graph.ways.size());
    const int end = network_.connection_begin[edge.first_lane + edge.lane_count];
    for (int k = network_.connection_begin[edge.first_lane]; k < end; ++k) {
        const Connection& connection = network_.connections[k];
        if (!permits(permitted_[static_cast<std::size_t>(k)], c)) continue;
        const bool there = std::any_of(graph.ways.begin() + first, graph.ways.end(),
                                       [&](const auto& w) { return w.to == connection.to_edge; });
        if (there) continue;
        graph.ways.push_back({.to = connection.to_edge, .inside_begin = static_cast<int>(graph.inside.size())});
        for_each_inside(network_, connection, [&](const Lane& lane, const Connection& onto) {
            // The parallel lanes of a turn count as its rightmost one, as in SUMO.
            const int lane_of_edge = network_.edges[lane.edge].first_lane;
            graph.inside.push_back({.edge = lane.edge,
                                    .length = network_.lanes[lane_of_edge].length,
                                    .time = free_time(network_, lane_of_edge, c),
                                    .penalty = gives_way(onto) ? minor_penalty_ : 0});
        });
    }
}

const std::vector<int>& Router::route(const ClassGraph& graph, std::span<const int> via, const Driving& driving,
                                      const float* measured, std::span<const int> closed) {
    const TravelTime time(driving, measured);
    found_.assign(1, via[0]);
    for (std::size_t leg = 0; leg + 1 < via.size(); ++leg) {
        const std::size_t joint = found_.size();
        if (!search(via[leg], via[leg + 1], graph, time, closed)) {
            broken_leg_ = static_cast<int>(leg);
            found_.clear();
            return found_;
        }
        for (int edge = via[leg + 1]; edge != via[leg]; edge = previous_[static_cast<std::size_t>(edge)])
            found_.push_back(edge);
        std::reverse(found_.begin() + static_cast<std::ptrdiff_t>(joint), found_.end());
    }
    std::erase_if(found_, [&](int edge) { return edge >= graph.edge_count; });
    return found_;
}

// Dijkstra's algorithm from edge to edge. The cost of an edge is the time until its start is reached. Of equal costs
// the edge with the lower index is settled first, and the first way found to an edge stays.
bool Router::search(int from, int to, const ClassGraph& graph, const TravelTime& time, std::span<const int> closed) {
    const std::size_t edges = graph.length.size();
    cost_.resize(edges);
    previous_.resize(edges);
    reached_.resize(edges, 0);
    settled_.resize(edges, 0);
    ++search_;
    heap_.clear();
    for (const int edge : closed) settled_[static_cast<std::size_t>(edge)] = search_;  // nothing goes on from there
    reached_[static_cast<std::size_t>(from)] = search_;
    cost_[static_cast<std::size_t>(from)] = 0;
    push(0, from);
    while (!heap_.empty()) {
        const int edge = pop();
        const auto e = static_cast<std::size_t>(edge);
        if (edge == to) return true;
        if (settled_[e] == search_) continue;
        settled_[e] = search_;
        const double end = cost_[e] + time.on(graph, edge);
        for (int k = graph.begin[e]; k < graph.begin[e + 1]; ++k) {
            const ClassGraph::Way* way = &graph.ways[static_cast<std::size_t>(k)];
            const auto next = static_cast<std::size_t>(way->to);
            double cost = end;
            for (int n = way[0].inside_begin; n < way[1].inside_begin; ++n)
                cost += time.on(graph.inside[static_cast<std::size_t>(n)]);
            if (reached_[next] == search_ && cost >= cost_[next]) continue;
            reached_[next] = search_;
            cost_[next] = cost;
            previous_[next] = edge;
            push(cost, way->to);
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
