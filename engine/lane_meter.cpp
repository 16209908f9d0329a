#include "engine/lane_meter.hpp"

#include <algorithm>
#include <limits>

namespace jamiton {
namespace {

constexpr float tick = 65536, coarse_tick = 1024, wait_tick = 64;

HD std::int64_t ticks(float value, float per_unit) {
    return static_cast<std::int64_t>(value * per_unit + (value < 0 ? -0.5f : 0.5f));
}

HD bool counts(const std::uint8_t* types, std::uint32_t type) { return types == nullptr || types[type] != 0; }

struct AddPassages {
    World w;
    const PlaceBefore* before;
    const std::uint8_t* types;
    LaneSums* sums;

    HD void operator()(int i) const {
        if (!counts(types, w.now.attributes[i].type)) return;
        float wanted = -1;  // m/s, where the front is
        for_each_passage(w, before[i], i, [&](const Passage& p) {
            if (wanted < 0) wanted = w.desired_when_dry(i, w.net.lanes[p.lane]);
            add(p, wanted);
        });
    }

    HD void add(const Passage& p, float wanted) const {
        const Lane& lane = w.net.lanes[p.lane];
        const float dt = w.method.dt, time = p.time_between(0, lane.length, dt);
        LaneSums& s = sums[p.lane];
        atomic_add(&s.time, ticks(time, tick));
        atomic_add(&s.way, ticks(p.speed * time, tick));
        atomic_add(&s.length, ticks(p.length * time, coarse_tick));
        atomic_add(&s.covered, ticks(p.covered(lane.length, dt), coarse_tick));
        if (p.front > lane.length) {
            const float tail = time - p.time_front_between(0, lane.length, dt);
            atomic_add(&s.tail_time, ticks(tail, tick));
            atomic_add(&s.tail_way, ticks(p.speed * tail, tick));
        }
        if (wanted > 0) atomic_add(&s.time_loss, ticks(time * (1 - p.speed / wanted), tick));
        if (p.speed <= 0.1f) atomic_add(&s.waiting, static_cast<int>(ticks(time, wait_tick)));
        if (p.entered) atomic_add(&s.entered, 1);
        if (p.left) atomic_add(&s.left, 1);
    }
};

struct AddChanges {
    const LaneMove* moves;
    const std::uint8_t* types;
    LaneSums* sums;
    HD void operator()(int n) const {
        const LaneMove& move = moves[n];
        if (!counts(types, move.type)) return;
        atomic_add(&sums[move.from].changed_from, 1);
        atomic_add(&sums[move.to].changed_to, 1);
    }
};

// Trips know when and where they began and ended.
struct CountTrips {
    World w;
    const std::uint8_t* types;
    std::int32_t first, last;  // steps
    int *departed, *arrived;   // per lane
    HD void operator()(int v) const {
        const TripResult& r = w.demand.results[v];
        const Trip& trip = w.demand.trips[v];
        if (r.depart_step < 0 || !counts(types, trip.type)) return;
        if (r.depart_step >= first && r.depart_step <= last)
            atomic_add(&departed[lane_of(trip.route_begin, r.depart_lane)], 1);
        const bool has_arrived = r.status == static_cast<std::uint8_t>(TripStatus::arrived);
        if (has_arrived && r.arrival_step >= first && r.arrival_step <= last)
            atomic_add(&arrived[lane_of(trip.route_begin + trip.route_length - 1, r.arrival_lane)], 1);
    }
    HD int lane_of(std::uint32_t route_at, int index) const {
        return w.net.edges[w.demand.stretch(route_at).edge].first_lane + index;
    }
};

// Of one edge or lane.
struct Total {
    double time = 0, way = 0, front_time = 0, front_way = 0, length = 0, covered = 0, time_loss = 0, waiting = 0;
    std::uint32_t entered = 0, left = 0, departed = 0, arrived = 0, changed_from = 0, changed_to = 0;

    void add(const LaneSums& s, int departures, int arrivals) {
        time += static_cast<double>(s.time) / double{tick};
        way += static_cast<double>(s.way) / double{tick};
        front_time += static_cast<double>(s.time - s.tail_time) / double{tick};
        front_way += static_cast<double>(s.way - s.tail_way) / double{tick};
        length += static_cast<double>(s.length) / double{coarse_tick};
        covered += static_cast<double>(s.covered) / double{coarse_tick};
        time_loss += static_cast<double>(s.time_loss) / double{tick};
        waiting += static_cast<double>(s.waiting) / double{wait_tick};
        entered += static_cast<std::uint32_t>(s.entered);
        left += static_cast<std::uint32_t>(s.left);
        changed_from += static_cast<std::uint32_t>(s.changed_from);
        changed_to += static_cast<std::uint32_t>(s.changed_to);
        departed += static_cast<std::uint32_t>(departures);
        arrived += static_cast<std::uint32_t>(arrivals);
    }
};

// length: m of road, on `lanes` lanes; limit: m/s.
void append(EdgeInterval& r, const Total& t, double length, int lanes, double limit) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const auto put = [](std::vector<float>& column, double value) { column.push_back(static_cast<float>(value)); };
    const double duration = r.end - r.begin, speed = t.time > 0 ? t.way / t.time : nan;
    const double density = length > 0 && duration > 0 ? t.time / duration / length : 0;
    r.entered.push_back(t.entered);
    r.left.push_back(t.left);
    r.departed.push_back(t.departed);
    r.arrived.push_back(t.arrived);
    r.lane_changed_from.push_back(t.changed_from);
    r.lane_changed_to.push_back(t.changed_to);
    put(r.sampled_seconds, t.time);
    put(r.mean_speed, speed);
    put(r.speed_relative, speed / limit);
    put(r.density, 1000 * density);
    put(r.lane_density, 1000 * density / lanes);
    put(r.occupancy, length > 0 && duration > 0 ? 100 * t.covered / duration / length / lanes : 0);
    put(r.waiting_time, t.waiting);
    put(r.time_loss, t.time_loss);
    put(r.travel_time, t.front_way > 0 ? length * t.front_time / t.front_way : nan);
    put(r.overlap_travel_time, speed > 0 ? (length + t.length / t.time) / speed : nan);
}

}  // namespace

LaneMeter::LaneMeter(const Network& network, const std::vector<std::uint8_t>& types)
    : sums_(network.lanes.size()), departed_(network.lanes.size()), arrived_(network.lanes.size()), types_(types) {
    sums_.fill(LaneSums{});
}

void LaneMeter::add_passages(const Exec& exec, const World& world, const PlaceBefore* before) {
    parallel_for(exec, world.now.count, AddPassages{world, before, types(), sums_.data()});
}

void LaneMeter::add_changes(const Exec& exec, const LaneMove* moves, int count) {
    parallel_for(exec, count, AddChanges{moves, types(), sums_.data()});
}

EdgeInterval LaneMeter::take(const Exec& exec, const World& world, bool of_lanes, double begin, double end,
                             std::int64_t step) {
    departed_.fill(0);
    arrived_.fill(0);
    parallel_for(exec, world.demand.trip_count,
                 CountTrips{world, types(), static_cast<std::int32_t>(first_step_), static_cast<std::int32_t>(step),
                            departed_.data(), arrived_.data()});
    synchronize(exec);
    first_step_ = step + 1;
    EdgeInterval r;
    r.begin = begin;
    r.end = end;
    for (int e = 0; e < world.net.edge_count; ++e) {
        const Edge& edge = world.net.edges[e];
        Total total;
        double limit = 0;
        for (int lane = edge.first_lane; lane < edge.first_lane + edge.lane_count; ++lane) {
            const Lane& l = world.net.lanes[lane];
            limit = std::max(limit, static_cast<double>(l.speed_limit));
            total.add(sums_[lane], departed_[lane], arrived_[lane]);
            if (!of_lanes) continue;
            append(r, total, static_cast<double>(l.length), 1, static_cast<double>(l.speed_limit));
            total = {};
        }
        if (!of_lanes) append(r, total, static_cast<double>(edge.length), edge.lane_count, limit);
    }
    sums_.fill(LaneSums{});
    return r;
}

}  // namespace jamiton
