#include "engine/edge_speeds.hpp"

#include <cmath>

namespace jamiton {
namespace {

constexpr float unit = 512;           // of speeds that are kept, 1 / (m/s)
constexpr int fine = 16;              // of those that are summed, per unit
constexpr float least_speed = 1e-3f;  // m/s, of an edge where everything stands

struct SpeedOfEdge {
    const Lane* lanes;
    const int* lane_begin;  // nullptr: nobody is there
    const Kinematics* kinematics;

    HD std::uint16_t operator()(const Edge& edge) const {
        std::int64_t sum = 0, count = 0;
        for (int lane = edge.first_lane; lane < edge.first_lane + edge.lane_count; ++lane) {
            const int begin = lane_begin ? lane_begin[lane] : 0, end = lane_begin ? lane_begin[lane + 1] : 0;
            for (int i = begin; i < end; ++i) sum += in_units(kinematics[i].speed);
            if (begin == end) sum += in_units(lanes[lane].speed_limit);
            count += max(1, end - begin);
        }
        return count == 0 ? std::uint16_t{0} : static_cast<std::uint16_t>((sum + count * (fine / 2)) / (count * fine));
    }
    HD static std::int64_t in_units(float speed) {
        return static_cast<std::int64_t>(min(speed, 65535 / unit) * (unit * fine) + 0.5f);
    }
};

struct Measure {
    const Edge* edges;
    SpeedOfEdge speed_of;
    const std::uint16_t* free;
    float* times;
    // Moving average.
    int averaged;
    std::uint16_t* oldest;
    std::uint32_t* sums;
    // Average by weight.
    float weight;
    float* speeds;

    HD void operator()(int e) const {
        const std::uint16_t now = speed_of(edges[e]);
        float speed = 0;
        bool is_free = false;
        if (averaged > 0) {
            std::uint32_t& sum = sums[e];
            sum += now;
            sum -= oldest[e];
            oldest[e] = now;
            is_free = sum == std::uint32_t{free[e]} * static_cast<std::uint32_t>(averaged);
            speed = static_cast<float>(sum) / (static_cast<float>(averaged) * unit);
        } else {
            speed = speeds[e] * weight + static_cast<float>(now) / unit * (1 - weight);
            speeds[e] = speed;
            is_free = speed == static_cast<float>(free[e]) / unit;
        }
        times[e] = is_free ? 0 : edges[e].length / max(speed, least_speed);
    }
};

}  // namespace

EdgeSpeeds::EdgeSpeeds(const Network& network, const RoutingOptions& options, double step)
    : steps_between_(options.measures() ? std::max(1, static_cast<int>(std::lround(options.adaptation_interval / step)))
                                        : 0),
      averaged_(options.adaptation_steps),
      weight_(static_cast<float>(options.adaptation_weight)),
      past_(network.edges.size() * static_cast<std::size_t>(averaged_)),
      sums_(averaged_ > 0 ? network.edges.size() : 0),
      free_(network.edges.size()),
      speeds_(averaged_ > 0 ? 0 : network.edges.size()),
      times_(network.edges.size()) {
    const SpeedOfEdge speed_of{network.lanes.data(), nullptr, nullptr};
    const std::size_t edges = network.edges.size();
    for (std::size_t e = 0; e < edges; ++e) {
        free_[e] = speed_of(network.edges[e]);
        if (averaged_ > 0)
            sums_[e] = std::uint32_t{free_[e]} * static_cast<std::uint32_t>(averaged_);
        else
            speeds_[e] = static_cast<float>(free_[e]) / unit;
    }
    for (std::size_t n = 0; n < past_.size(); ++n) past_[n] = free_[n % edges];
}

void EdgeSpeeds::add_step(const Exec& exec, const World& world) {
    if (steps_between_ == 0 || world.step % static_cast<std::uint32_t>(steps_between_) != 0) return;
    const int edges = world.net.edge_count;
    const auto oldest = averaged_ > 0 ? static_cast<std::size_t>(measured_ % averaged_) * free_.size() : 0;
    ++measured_;
    parallel_for(exec, edges,
                 Measure{.edges = world.net.edges,
                         .speed_of = {world.net.lanes, world.now.lane_begin, world.now.kinematics},
                         .free = free_.data(),
                         .times = times_.data(),
                         .averaged = averaged_,
                         .oldest = past_.data() + oldest,
                         .sums = sums_.data(),
                         .weight = weight_,
                         .speeds = speeds_.data()},
                 4096);
}

}  // namespace jamiton
