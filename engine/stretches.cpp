#include "engine/stretches.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <numeric>

#include "agents/braking.hpp"
#include "engine/core/check.hpp"

namespace jamiton {
namespace {

constexpr float same_length = 0.01f;             // m
constexpr int far_edges = 5, near_edges = 9;     // that a driver thinks of at least, unless they are long
constexpr float far_way = 3000, near_way = 200;  // m, so that these are enough

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
    return hash ^ (hash >> 32);
}

std::uint64_t hash_of(std::span<const int> edges, VehicleClass c, ArrivalPlace arrival) {
    std::uint64_t hash = mix(static_cast<std::uint64_t>(c), arrival.is_stop ? 2 : 0);
    hash =
        mix(hash, static_cast<std::uint64_t>(arrival.lane + 1) << 32 | std::bit_cast<std::uint32_t>(arrival.position));
    for (int edge : edges) hash = mix(hash, static_cast<std::uint64_t>(edge));
    return hash;
}

std::uint64_t hash_of(std::span<const LaneChoice> lanes) {
    std::uint64_t hash = 0;
    for (const LaneChoice& lane : lanes) {
        const auto words = std::bit_cast<std::array<std::uint64_t, 2>>(lane);
        hash = mix(mix(hash, words[0]), words[1]);
    }
    return hash;
}

bool has_priority(const Connection& c) { return c.signal_link >= 0 || !gives_way_unsignalled(c.state); }

// m beyond its lane that the fastest vehicle of a class takes to stand, with a second's reaction counted twice.
float braking_way(VehicleClass c) {
    const VehicleType type = default_vehicle_type(c);
    const StepMethod method;
    return type.max_speed * type.tau + brake_gap(type.max_speed, type.decel, type.tau, method) + type.min_gap;
}

}  // namespace

StretchPool::StretchPool(const Network& network, const std::vector<Permissions>& permitted)
    : network_(network), permitted_(permitted) {
    for (int c = 0; c < static_cast<int>(VehicleClass::count); ++c)
        braking_way_.push_back(braking_way(static_cast<VehicleClass>(c)));
}

bool StretchPool::is_made_of(const Route& route, std::span<const Leg> legs) const {
    std::size_t size = 0;
    for (const Leg& leg : legs) size += leg.edges.size();
    if (route.stops.size() + 1 != legs.size() || route.range.end - route.range.begin != size) return false;
    auto at = pool_.begin() + route.range.begin;
    for (std::size_t n = 0; n < legs.size(); ++n) {
        const bool last = n + 1 == legs.size();
        if ((last ? route.arrival : route.stops[n]) != legs[n].end) return false;
        for (int edge : legs[n].edges)
            if (stretch(*at++).edge != edge) return false;
        if (!last && !stretch(*(at - 1)).to_stop) return false;
    }
    return true;
}

int StretchPool::find_route(std::span<const Leg> legs, VehicleClass c, std::uint64_t hash) const {
    const auto known = route_of_hash_.find(hash);
    for (int r = known == route_of_hash_.end() ? -1 : known->second; r >= 0;
         r = routes_[static_cast<std::size_t>(r)].next) {
        const Route& route = routes_[static_cast<std::size_t>(r)];
        if (route.vehicle_class == c && is_made_of(route, legs)) return r;
    }
    return -1;
}

StretchPool::Range StretchPool::intern(std::span<const Leg> legs, VehicleClass c) {
    std::uint64_t hash = 0;
    std::size_t size = 0;
    for (const Leg& leg : legs) {
        hash = mix(hash, hash_of(leg.edges, c, leg.end));
        size += leg.edges.size();
    }
    if (const int known = find_route(legs, c, hash); known >= 0)
        return place_of(routes_[static_cast<std::size_t>(known)]);
    require(base_.pool + pool_.size() + size < 0xFFFFFFFFu, "more than 4 billion edges in routes");
    Route route{.range = {}, .vehicle_class = c, .arrival = legs.back().end, .stops = {}, .next = -1};
    route.range.begin = static_cast<std::uint32_t>(pool_.size());
    pool_.resize(pool_.size() + size);
    route.range.end = static_cast<std::uint32_t>(pool_.size());
    std::uint32_t begin = route.range.begin;
    for (const Leg& leg : legs) {
        intern_leg(leg, c, begin);
        begin += static_cast<std::uint32_t>(leg.edges.size());
        if (&leg != &legs.back()) route.stops.push_back(leg.end);
    }
    const auto [place, fresh] = route_of_hash_.try_emplace(hash, static_cast<int>(routes_.size()));
    route.next = fresh ? -1 : place->second;
    place->second = static_cast<int>(routes_.size());
    routes_.push_back(std::move(route));
    return place_of(routes_.back());
}

StretchPool::Range StretchPool::intern(std::span<const int> edges, VehicleClass c, ArrivalPlace arrival,
                                       std::span<Stop> stops, std::span<const std::size_t> places) {
    std::vector<Leg> legs;
    std::size_t from = 0;
    for (std::size_t n = 0; n < stops.size(); ++n) {
        legs.push_back({edges.subspan(from, places[n] - from + 1),
                        {.lane = network_.lanes[stops[n].lane].index, .position = stops[n].end, .is_stop = true}});
        from = places[n];
    }
    legs.push_back({edges.subspan(from), arrival});
    const Range range = intern(legs, c);
    for (std::size_t n = 0; n < stops.size(); ++n)
        stops[n].route_at = range.begin + static_cast<std::uint32_t>(places[n] + n);
    return range;
}

void StretchPool::intern_leg(const Leg& leg, VehicleClass c, std::uint32_t begin) {
    for (std::size_t at = 0; at < leg.edges.size(); ++at) {
        Window window = window_at(leg.edges.subspan(at), c);
        if (window.ends) window.arrival = leg.end;
        choose_lanes(window);
        pool_[begin + at] = intern_stretch();
    }
}

// The edges that a driver on the first of these thinks of, as in SUMO 1.15 (measured).
StretchPool::Window StretchPool::window_at(std::span<const int> edges, VehicleClass c) const {
    const float enough = network_.edges[edges[0]].length + braking_way_[static_cast<std::size_t>(c)];
    std::size_t size = 0;
    float way = 0;
    do {
        way += network_.edges[edges[size++]].length;
        if (size >= far_edges && way >= std::max(enough, far_way)) break;
        if (size >= near_edges && way >= std::max(enough, near_way)) break;
    } while (size < edges.size());
    return {.edges = edges.first(size), .ends = size == edges.size(), .vehicle_class = c, .arrival = {}};
}

// What equal lanes say is kept once.
std::uint32_t StretchPool::intern_stretch() {
    const std::uint64_t hash = hash_of(chosen_);
    const auto [place, fresh] = stretch_of_hash_.try_emplace(hash, -1);
    for (int s = place->second; s >= 0; s = same_hash_[static_cast<std::size_t>(s)]) {
        const auto known = choices_.begin() + choice_begin_[static_cast<std::size_t>(s)];
        if (known->edge == chosen_[0].edge && std::equal(chosen_.begin(), chosen_.end(), known))
            return static_cast<std::uint32_t>(s);
    }
    const auto made = static_cast<std::uint32_t>(choice_begin_.size());
    require(choices_.size() < 0x7FFFFFF0u, "more than 2 billion lanes in routes");
    choice_begin_.push_back(static_cast<std::uint32_t>(choices_.size()));
    choices_.insert(choices_.end(), chosen_.begin(), chosen_.end());
    same_hash_.push_back(place->second);
    place->second = static_cast<int>(made);
    return made;
}

// SUMO's best lanes. The length counts lanes outside junctions only, as there.
void StretchPool::choose_lanes(const Window& window) {
    const std::span<const int> edges = window.edges;
    set_last_edge(edges.back(), window);
    for (std::size_t at = edges.size() - 1; at-- > 0;) step_back(edges[at], edges[at + 1], window.vehicle_class);
    const bool ends_here = window.ends && edges.size() == 1;
    chosen_.clear();
    for (LaneAhead& lane : ahead_) {
        lane.choice.last = ends_here && !window.arrival.is_stop;
        lane.choice.to_stop = ends_here && window.arrival.is_stop;
        lane.choice.edge = edges[0];
        if (lane.ring_edges > 1)
            lane.choice.roundabout = static_cast<std::uint16_t>(std::min(lane.ring_way * 10 + 0.5f, 65535.f));
        chosen_.push_back(lane.choice);
    }
}

void StretchPool::set_last_edge(int edge, const Window& window) {
    const Edge& e = network_.edges[edge];
    ahead_.assign(static_cast<std::size_t>(e.lane_count), {});
    for (int k = 0; k < e.lane_count; ++k) {
        const Lane& lane = network_.lanes[e.first_lane + k];
        LaneAhead& here = ahead_[static_cast<std::size_t>(k)];
        if (e.roundabout) here.ring_edges = 1, here.ring_way = e.length;
        here.choice.allowed = permits(lane.allowed, window.vehicle_class);
        if (!here.choice.allowed) continue;
        const bool to_end = !window.ends || window.arrival.position < 0;
        // Even an arrival at the very start is further than a lane that does not lead there.
        here.choice.drivable = to_end ? lane.length : std::max(window.arrival.position, 2 * same_length);
        // Another lane than that of arrival is as long, but lies as many lanes off it.
        if (window.ends && window.arrival.lane >= 0) here.later = std::abs(window.arrival.lane - k);
    }
    set_offsets();
}

// From the lanes of next_edge in ahead_ to those of edge.
void StretchPool::step_back(int edge, int next_edge, VehicleClass c) {
    const Edge& e = network_.edges[edge];
    here_.assign(static_cast<std::size_t>(e.lane_count), {});
    for (int k = 0; k < e.lane_count; ++k) {
        LaneAhead& here = here_[static_cast<std::size_t>(k)];
        const int lane = e.first_lane + k;
        if (permits(network_.lanes[lane].allowed, c))
            here = best_continuation(lane, next_edge, c);
        else
            here.choice.allowed = 0;
    }
    count_a_change_as_made();
    measure_ring(edge, next_edge);
    std::swap(ahead_, here_);
    set_offsets();
    leave_minor_connections(e);
}

// The way in the next roundabout, from lanes that lead to it and from those in it.
void StretchPool::measure_ring(int edge, int next_edge) {
    const Edge& e = network_.edges[edge];
    const Edge& next = network_.edges[next_edge];
    for (LaneAhead& here : here_) {
        if (here.choice.connection >= 0 && (next.roundabout || !e.roundabout)) {
            const Connection& c = network_.connections[here.choice.connection];
            const LaneAhead& there = ahead_[static_cast<std::size_t>(c.to_lane - next.first_lane)];
            here.ring_edges = there.ring_edges;
            here.ring_way = there.ring_way + (next.roundabout ? c.junction_length : 0);
        }
        if (!e.roundabout) continue;
        ++here.ring_edges;
        here.ring_way += e.length;
    }
}

// The connection of this lane onto the best lane of the next edge: the longest way, then the fewest changes there, then
// the connection with the lower index.
StretchPool::LaneAhead StretchPool::best_continuation(int lane, int next_edge, VehicleClass c) const {
    LaneAhead best;
    best.choice.drivable = network_.lanes[lane].length;
    const int first = network_.edges[next_edge].first_lane;
    for (int k = network_.connection_begin[lane]; k < network_.connection_begin[lane + 1]; ++k) {
        const Connection& connection = network_.connections[k];
        if (connection.to_edge != next_edge || !permits(permitted_[static_cast<std::size_t>(k)], c)) continue;
        const LaneChoice& next = ahead_[static_cast<std::size_t>(connection.to_lane - first)].choice;
        const int changes = std::abs(static_cast<int>(next.best_offset));
        const bool equal = std::abs(next.drivable - best.beyond) <= same_length;
        if (equal ? changes >= best.later : next.drivable < best.beyond) continue;
        best.beyond = next.drivable;
        best.later = changes;
        best.priority = has_priority(connection) ? 1 : 0;
        best.choice.connection = k;
    }
    return best;
}

// From where the lanes of an edge lead as far as they can, a single change on the next edge counts as made.
void StretchPool::count_a_change_as_made() {
    float longest = 0, connected = 0;
    for (const LaneAhead& lane : ahead_) longest = std::max(longest, lane.choice.drivable);
    for (const LaneAhead& lane : here_) connected = std::max(connected, lane.beyond);
    for (LaneAhead& lane : here_) {
        if (lane.choice.connection < 0) continue;
        const bool as_made = lane.beyond >= connected - same_length && lane.later < 2;
        lane.choice.drivable += as_made ? longest : lane.beyond;
    }
}

// The best lanes have the longest way, of those the fewest changes later on, and of those the right of way at the next
// junction. Where two of them are equally near the left one is taken (measured in SUMO 1.15).
void StretchPool::set_offsets() {
    const LaneAhead* best = ahead_.data();
    const auto compare = [](const LaneAhead& a, const LaneAhead& b) {  // above 0: a is better
        if (a.choice.allowed != b.choice.allowed) return a.choice.allowed - b.choice.allowed;
        if (std::abs(a.choice.drivable - b.choice.drivable) > same_length)
            return a.choice.drivable > b.choice.drivable ? 1 : -1;
        return a.later != b.later ? b.later - a.later : a.priority - b.priority;
    };
    for (const LaneAhead& lane : ahead_)
        if (compare(lane, *best) > 0) best = &lane;
    const int count = static_cast<int>(ahead_.size());
    for (int k = 0; k < count; ++k) {
        int offset = 1 << 20;
        for (int j = 0; j < count; ++j) {
            const LaneAhead& lane = ahead_[static_cast<std::size_t>(j)];
            const bool is_best = lane.choice.allowed && compare(lane, *best) == 0;
            if (is_best && std::abs(j - k) <= std::abs(offset)) offset = j - k;
        }
        if (offset == 1 << 20) offset = 0;  // no lane for this class
        ahead_[static_cast<std::size_t>(k)].choice.best_offset =
            static_cast<std::int8_t>(std::clamp(offset, -127, 127));
    }
}

// Where the best lanes have the right of way at the next junction, others that do not count as ending before it.
void StretchPool::leave_minor_connections(const Edge& edge) {
    int best = -1;
    for (const LaneAhead& lane : ahead_)
        if (lane.choice.allowed && lane.choice.best_offset == 0) best = std::max(best, lane.priority);
    for (std::size_t k = 0; k < ahead_.size(); ++k)
        if (ahead_[k].choice.allowed && ahead_[k].priority < best)
            ahead_[k].choice.drivable = network_.lanes[edge.first_lane + static_cast<int>(k)].length;
}

// Ordered by edge: vehicles that are near each other then read near each other.
void StretchPool::move_into(Demand& demand) {
    std::vector<std::uint32_t> order(choice_begin_.size()), place(choice_begin_.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [this](std::uint32_t a, std::uint32_t b) { return stretch(a).edge < stretch(b).edge; });
    std::vector<LaneChoice> choices;
    choices.reserve(choices_.size());
    for (std::uint32_t old : order) {
        place[old] = static_cast<std::uint32_t>(choices.size());
        const auto first = choices_.begin() + choice_begin_[old];
        choices.insert(choices.end(), first, first + network_.edges[first->edge].lane_count);
    }
    demand.route_pool = Array<std::uint32_t>(pool_);
    for (std::uint32_t& at : demand.route_pool) at = place[at];
    demand.choices = Array<LaneChoice>(choices);
}

void StretchPool::begin_behind(const Demand& demand) { base_ = {demand.route_pool.size(), demand.choices.size()}; }

namespace {
template <class T>
T* grow(Array<T>& array, std::size_t used, std::size_t size) {
    if (array.size() < size) array.resize(size * 5 / 4 + 1024);
    return array.data() + used;
}
}  // namespace

void StretchPool::append_to(Demand& demand) {
    std::uint32_t* pool = grow(demand.route_pool, base_.pool + appended_.pool, base_.pool + pool_.size());
    for (std::size_t n = appended_.pool; n < pool_.size(); ++n)
        *pool++ = choice_begin_[pool_[n]] + static_cast<std::uint32_t>(base_.choices);
    LaneChoice* choice = grow(demand.choices, base_.choices + appended_.choices, base_.choices + choices_.size());
    std::copy(choices_.begin() + static_cast<std::ptrdiff_t>(appended_.choices), choices_.end(), choice);
    appended_ = {pool_.size(), choices_.size()};
}

bool find_stop_places(const Network& network, std::span<const int> edges, std::span<const Stop> stops,
                      std::vector<std::size_t>& places, std::size_t from) {
    for (std::size_t n = places.size(); n < stops.size(); ++n) {
        // A stop that lies behind the one before on the same lane is made when it comes there again.
        const bool again = n > 0 && stops[n - 1].lane == stops[n].lane && stops[n].end < stops[n - 1].end;
        std::size_t place = n == 0 ? from : std::max(from, places.back() + (again ? 1 : 0));
        while (place < edges.size() && edges[place] != network.lanes[stops[n].lane].edge) ++place;
        if (place >= edges.size()) return false;
        places.push_back(place);
    }
    return true;
}

}  // namespace jamiton
