#include "engine/stretches.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <numeric>

#include "engine/core/check.hpp"

namespace jamiton {
namespace {

constexpr float shortest_horizon = 300;  // m
constexpr float seconds_a_change = 20;   // how early drivers begin to change one lane to the left, s
constexpr float same_length = 0.01f;     // m

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
    return hash ^ (hash >> 32);
}

std::uint64_t hash_of(std::span<const int> edges, VehicleClass c, bool ends, ArrivalPlace arrival) {
    std::uint64_t hash = mix(static_cast<std::uint64_t>(c), (ends ? 1 : 0) | (arrival.is_stop ? 2 : 0));
    hash =
        mix(hash, static_cast<std::uint64_t>(arrival.lane + 1) << 32 | std::bit_cast<std::uint32_t>(arrival.position));
    for (int edge : edges) hash = mix(hash, static_cast<std::uint64_t>(edge));
    return hash;
}

}  // namespace

// A driver who has several lanes to cross begins as many times earlier.
float lane_choice_horizon(const Network& network, int edge) {
    const Edge& e = network.edges[edge];
    const float limit = network.lanes[e.first_lane + e.lane_count - 1].speed_limit;
    return std::max(shortest_horizon, seconds_a_change * limit * static_cast<float>(std::max(1, e.lane_count - 1)));
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
        hash = mix(hash, hash_of(leg.edges, c, true, leg.end));
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

// Backwards: a window refers to the pool behind it.
void StretchPool::intern_leg(const Leg& leg, VehicleClass c, std::uint32_t begin) {
    for (std::size_t at = leg.edges.size(); at-- > 0;) {
        Window window = window_at(leg.edges, at, begin);
        window.vehicle_class = c;
        if (window.ends) window.arrival = leg.end;
        pool_[begin + at] = intern_stretch(leg.edges.subspan(at, static_cast<std::size_t>(window.size)), window);
    }
}

// From an edge to the first one that begins at the horizon or beyond.
StretchPool::Window StretchPool::window_at(std::span<const int> edges, std::size_t at, std::uint32_t begin) const {
    const float horizon = lane_choice_horizon(network_, edges[at]);
    Window window;
    window.begin = static_cast<std::uint32_t>(begin + at);
    window.ends = true;
    float seen = 0;
    std::size_t last = at;
    while (last + 1 < edges.size() && window.ends) {
        ++last;
        window.ends = seen < horizon;
        seen += network_.edges[edges[last]].length;
    }
    window.size = static_cast<int>(last - at) + 1;
    return window;
}

bool StretchPool::equals(const Window& known, std::span<const int> edges, const Window& window) const {
    if (known.size != window.size || known.ends != window.ends || known.vehicle_class != window.vehicle_class)
        return false;
    if (known.arrival != window.arrival) return false;
    if (stretch(static_cast<std::uint32_t>(&known - windows_.data())).edge != edges[0]) return false;
    const auto first = pool_.begin() + known.begin;  // its own place may not be filled yet, those behind it are
    return std::equal(edges.begin() + 1, edges.end(), first + 1,
                      [&](int edge, std::uint32_t s) { return stretch(s).edge == edge; });
}

std::uint32_t StretchPool::intern_stretch(std::span<const int> edges, const Window& window) {
    const std::uint64_t hash = hash_of(edges, window.vehicle_class, window.ends, window.arrival);
    const auto [place, fresh] = stretch_of_hash_.try_emplace(hash, -1);
    for (int s = place->second; s >= 0; s = windows_[static_cast<std::size_t>(s)].next) {
        if (equals(windows_[static_cast<std::size_t>(s)], edges, window)) return static_cast<std::uint32_t>(s);
    }
    const auto made = static_cast<std::uint32_t>(choice_begin_.size());
    require(choices_.size() < 0x7FFFFFF0u, "more than 2 billion lanes in routes");
    choice_begin_.push_back(static_cast<std::uint32_t>(choices_.size()));
    windows_.push_back(window);
    windows_.back().next = place->second;
    place->second = static_cast<int>(made);
    choose_lanes(edges, window);
    return made;
}

// SUMO's best lanes. The length counts lanes outside junctions only, as there.
void StretchPool::choose_lanes(std::span<const int> edges, const Window& window) {
    set_last_edge(edges.back(), window);
    for (std::size_t at = edges.size() - 1; at-- > 0;) step_back(edges[at], edges[at + 1], window.vehicle_class);
    const bool ends_here = window.ends && window.size == 1;
    for (LaneAhead& lane : ahead_) {
        lane.choice.last = ends_here && !window.arrival.is_stop;
        lane.choice.to_stop = ends_here && window.arrival.is_stop;
        lane.choice.edge = edges[0];
        choices_.push_back(lane.choice);
    }
}

void StretchPool::set_last_edge(int edge, const Window& window) {
    const Edge& e = network_.edges[edge];
    ahead_.assign(static_cast<std::size_t>(e.lane_count), {});
    for (int k = 0; k < e.lane_count; ++k) {
        const Lane& lane = network_.lanes[e.first_lane + k];
        LaneAhead& here = ahead_[static_cast<std::size_t>(k)];
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
    std::swap(ahead_, here_);
    set_offsets();
}

// The connection of this lane onto the best lane of the next edge: the longest way, then the fewest changes there, then
// the connection with the lower index.
StretchPool::LaneAhead StretchPool::best_continuation(int lane, int next_edge, VehicleClass c) const {
    LaneAhead best;
    best.choice.drivable = network_.lanes[lane].length;
    const int first = network_.edges[next_edge].first_lane;
    float longest = -1;
    for (int k = network_.connection_begin[lane]; k < network_.connection_begin[lane + 1]; ++k) {
        const Connection& connection = network_.connections[k];
        if (connection.to_edge != next_edge || !permits(permitted_[static_cast<std::size_t>(k)], c)) continue;
        const LaneChoice& next = ahead_[static_cast<std::size_t>(connection.to_lane - first)].choice;
        const int changes = std::abs(static_cast<int>(next.best_offset));
        const bool equal = std::abs(next.drivable - longest) <= same_length;
        if (equal ? changes >= best.later : next.drivable < longest) continue;
        longest = next.drivable;
        best.later = changes;
        best.choice.connection = k;
    }
    if (longest > 0) best.choice.drivable += longest;
    return best;
}

// The best lanes have the longest way and, of those, the fewest changes later on. Where two of them are equally near
// the left one is taken (measured in SUMO 1.15).
void StretchPool::set_offsets() {
    float longest = 0;
    for (const LaneAhead& lane : ahead_) longest = std::max(longest, lane.choice.drivable);
    const auto is_long = [&](const LaneAhead& lane) {
        return lane.choice.allowed && lane.choice.drivable >= longest - same_length;
    };
    int fewest = 1 << 20;
    for (const LaneAhead& lane : ahead_) fewest = is_long(lane) ? std::min(fewest, lane.later) : fewest;
    const int count = static_cast<int>(ahead_.size());
    for (int k = 0; k < count; ++k) {
        int offset = 1 << 20;
        for (int j = 0; j < count; ++j) {
            const LaneAhead& lane = ahead_[static_cast<std::size_t>(j)];
            if (is_long(lane) && lane.later == fewest && std::abs(j - k) <= std::abs(offset)) offset = j - k;
        }
        if (offset == 1 << 20) offset = 0;  // no lane for this class
        ahead_[static_cast<std::size_t>(k)].choice.best_offset =
            static_cast<std::int8_t>(std::clamp(offset, -127, 127));
    }
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
