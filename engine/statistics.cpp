#include "engine/statistics.hpp"

#include <cmath>
#include <limits>

namespace jamiton {
namespace {

// A mixing step of SplitMix64 (Steele, Lea, Flood 2014).
HD std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

HD std::uint32_t bits_of(float v) {
    std::uint32_t bits = 0;
    v += 0.f;  // no negative zero
    __builtin_memcpy(&bits, &v, sizeof bits);
    return bits;
}

struct SumState {
    const Kinematics* kinematics;
    HD Sums operator()(int i) const {
        const Kinematics& k = kinematics[i];
        const std::uint64_t who = (std::uint64_t{k.vehicle} << 32) | static_cast<std::uint32_t>(k.lane);
        const std::uint64_t where = (std::uint64_t{bits_of(k.position)} << 32) | bits_of(k.speed);
        Sums s;
        s.value[0] = static_cast<std::int64_t>(k.speed * 1024 + 0.5f);
        s.value[1] = k.speed <= 0.1f;
        s.value[2] = static_cast<std::int64_t>(mix(mix(who + 0x9E3779B97F4A7C15ull) ^ where));
        return s;
    }
};

struct SumEdges {
    World w;
    EdgeStatistics::EdgeSums* sums;
    int* edge_of_vehicle;
    HD void operator()(int i) const {
        const Kinematics& k = w.now.kinematics[i];
        const int edge = w.net.lanes[k.lane].edge;
        EdgeStatistics::EdgeSums& s = sums[edge];
        atomic_add(&s.samples, std::int64_t{1});
        atomic_add(&s.speed, static_cast<std::int64_t>(k.speed * 1024 + 0.5f));
        atomic_add(&s.length, static_cast<std::int64_t>(w.driver(i).length * 1024 + 0.5f));
        if (k.speed <= 0.1f) atomic_add(&s.waiting, std::int64_t{1});
        int& before = edge_of_vehicle[k.vehicle];
        if (before == edge) return;
        if (before >= 0) atomic_add(&sums[before].left, 1);
        atomic_add(&s.entered, 1);
        before = edge;
    }
};

// Those who have left the road since the last step: known by the place that is no longer theirs.
struct SumArrivals {
    const int* where;
    EdgeStatistics::EdgeSums* sums;
    int* edge_of_vehicle;
    HD void operator()(int vehicle) const {
        int& before = edge_of_vehicle[vehicle];
        if (before < 0 || where[vehicle] >= 0) return;
        atomic_add(&sums[before].left, 1);
        before = -1;
    }
};

}  // namespace

StateSums StepStatistics::run(const Exec& exec, const World& world) {
    sum_over(exec, world.now.count, SumState{world.now.kinematics}, sums_.data());
    synchronize(exec);
    history_ = mix(history_ + 0x9E3779B97F4A7C15ull + static_cast<std::uint64_t>(sums_[0].value[2]));
    return {sums_[0].value[0], sums_[0].value[1], history_};
}

EdgeStatistics::EdgeStatistics(const Network& network, int trip_count, double step)
    : sums_(network.edges.size()), edge_of_vehicle_(trip_count), step_(step) {
    edge_of_vehicle_.fill(-1);
    for (const Edge& e : network.edges) {
        edge_length_.push_back(static_cast<double>(e.length));
        lane_count_.push_back(e.lane_count);
    }
}

void EdgeStatistics::add_step(const Exec& exec, const World& world) {
    parallel_for(exec, world.now.count, SumEdges{world, sums_.data(), edge_of_vehicle_.data()});
    parallel_for(exec, static_cast<int>(edge_of_vehicle_.size()),
                 SumArrivals{world.now.where, sums_.data(), edge_of_vehicle_.data()}, 8192);
}

EdgeInterval EdgeStatistics::take(double begin, double end) {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    EdgeInterval r;
    r.begin = begin;
    r.end = end;
    const double duration = end - begin;
    for (std::size_t e = 0; e < sums_.size(); ++e) {
        EdgeSums& s = sums_[e];
        const double seconds = static_cast<double>(s.samples) * step_;
        const double speed = s.samples > 0 ? static_cast<double>(s.speed) / 1024 / static_cast<double>(s.samples) : 0;
        r.entered.push_back(static_cast<std::uint32_t>(s.entered));
        r.left.push_back(static_cast<std::uint32_t>(s.left));
        r.mean_speed.push_back(s.samples > 0 ? static_cast<float>(speed) : nan);
        r.density.push_back(
            edge_length_[e] > 0 && duration > 0 ? static_cast<float>(seconds / duration / edge_length_[e] * 1000) : 0);
        r.occupancy.push_back(edge_length_[e] > 0 && duration > 0
                                  ? static_cast<float>(static_cast<double>(s.length) / 1024 * step_ / duration /
                                                       edge_length_[e] / lane_count_[e] * 100)
                                  : 0);
        r.waiting_time.push_back(static_cast<float>(static_cast<double>(s.waiting) * step_));
        r.travel_time.push_back(speed > 0 ? static_cast<float>(edge_length_[e] / speed) : nan);
        s = {};
    }
    return r;
}

}  // namespace jamiton
