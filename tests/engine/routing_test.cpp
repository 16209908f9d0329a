#include "engine/routing.hpp"

#include <cmath>
#include <limits>

#include "engine/core/random.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/net_builder.hpp"

using namespace jamiton;

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

// A net of 12 junctions with edges and turns drawn at random, some for buses only.
struct RandomNet {
    NetBuilder builder;
    std::vector<int> edges;

    explicit RandomNet(std::uint32_t number) {
        std::uint32_t at = 0;
        const auto drawn = [&](int n) { return static_cast<int>(uniform(draw(7, number, at++, Purpose::route).word[0]) * static_cast<float>(n)); };
        std::vector<std::pair<int, int>> ends;
        for (int e = 0; e < 30; ++e) {
            ends.emplace_back(drawn(12), drawn(12));
            const auto name = [](int j) { return "j" + std::to_string(j); };
            const float length = 20 + static_cast<float>(drawn(20)) * 10;
            edges.push_back(builder.edge("e" + std::to_string(e), name(ends.back().first), name(ends.back().second), length, drawn(2) == 0 ? 8.0f : 13.89f));
            if (drawn(8) == 0) builder.lane(edges.back(), 0).allowed = permission(VehicleClass::bus);
        }
        for (int a = 0; a < 30; ++a) {
            for (int b = 0; b < 30; ++b) {
                if (ends[a].second == ends[b].first && drawn(4) != 0) builder.connect(edges[a], 0, edges[b], 0, drawn(2) == 0 ? 'M' : 'm', 5 + static_cast<float>(drawn(10)));
            }
        }
    }
};

double seconds(float length, float limit, const Driving& driving, bool minor) {
    const double factor = static_cast<double>(minor ? driving.speed_factor : std::min(driving.speed_factor, 1.0f));
    return static_cast<double>(length) / std::min(static_cast<double>(limit) * factor, static_cast<double>(driving.max_speed));
}

// From the start of edge a to the start of edge b, which must follow it.
double step_time(const Network& net, int a, int b, const Driving& driving) {
    const Lane& lane = net.lanes[net.edges[a].first_lane];
    for (const Connection& c : net.connections) {
        if (c.from_lane != net.edges[a].first_lane || c.to_edge != b) continue;
        if (!permits(lane.allowed, driving.vehicle_class) || !permits(net.lanes[c.to_lane].allowed, driving.vehicle_class)) continue;
        const Lane& inside = net.lanes[c.next_lane];
        const bool minor = c.state == 'm';
        return seconds(lane.length, lane.speed_limit, driving, false) + seconds(inside.length, inside.speed_limit, driving, minor) + (minor ? 1.5 : 0);
    }
    return never;
}

// Bellman and Ford: as many rounds as there are edges.
std::vector<double> times_from(const Network& net, int from, int edges, const Driving& driving) {
    std::vector<double> best(static_cast<std::size_t>(edges), never);
    best[static_cast<std::size_t>(from)] = 0;
    for (int round = 0; round < edges; ++round) {
        for (int a = 0; a < edges; ++a) {
            for (int b = 0; b < edges; ++b) best[b] = std::min(best[b], best[a] + step_time(net, a, b, driving));
        }
    }
    return best;
}

}  // namespace

TEST_CASE("routes are as fast as any") {
    for (std::uint32_t number = 0; number < 6; ++number) {
        const RandomNet random(number);
        const Network net = random.builder.build();
        const auto permitted = connection_permissions(random.builder.description(), net);
        ClassGraphs graphs(net, permitted, 1.5);
        Router router;
        for (const Driving driving : {Driving{.speed_factor = 0.8f}, Driving{.speed_factor = 1.3f, .max_speed = 12}, Driving{.vehicle_class = VehicleClass::bus}}) {
            for (int from = 0; from < 30; from += 4) {
                const std::vector<double> best = times_from(net, from, 30, driving);
                for (int to = 0; to < 30; ++to) {
                    const int via[] = {from, to};
                    const std::vector<int> found = router.route(graphs.of(driving.vehicle_class), via, driving);
                    REQUIRE(found.empty() == (best[to] == never));
                    if (found.empty()) continue;
                    CHECK(found.front() == from);
                    CHECK(found.back() == to);
                    double time = 0;
                    for (std::size_t i = 0; i + 1 < found.size(); ++i) time += step_time(net, found[i], found[i + 1], driving);
                    CHECK(time == Approx(best[to]));
                }
            }
        }
    }
}

TEST_CASE("a route goes over its edges in their order and names the leg that fails") {
    NetBuilder b;
    const int in = b.edge("in", "a", "b", 100), direct = b.edge("direct", "b", "c", 100), around = b.edge("around", "b", "c", 500);
    const int out = b.edge("out", "c", "d", 100);
    for (int way : {direct, around}) {
        b.connect_all(in, way);
        b.connect_all(way, out);
    }
    const Network net = b.build();
    const auto permitted = connection_permissions(b.description(), net);
    ClassGraphs graphs(net, permitted, 1.5);
    Router router;
    CHECK(router.route(graphs.of(VehicleClass::passenger), std::vector<int>{in, out}, {}) == std::vector<int>{in, direct, out});
    CHECK(router.route(graphs.of(VehicleClass::passenger), std::vector<int>{in, around, out}, {}) == std::vector<int>{in, around, out});
    CHECK(router.route(graphs.of(VehicleClass::passenger), std::vector<int>{in}, {}) == std::vector<int>{in});
    CHECK(router.route(graphs.of(VehicleClass::passenger), std::vector<int>{in, direct, around, out}, {}).empty());
    CHECK(router.broken_leg() == 1);
}

TEST_CASE("giving way costs a penalty and signals do not") {
    NetBuilder b;
    const int in = b.edge("in", "a", "b", 100), minor = b.edge("minor", "b", "c", 100), major = b.edge("major", "b", "c", 115);
    const int out = b.edge("out", "c", "d", 100);
    b.connect(in, 0, minor, 0, 'm');
    b.connect(in, 0, major, 0, 'M');
    b.connect(minor, 0, out, 0);
    b.connect(major, 0, out, 0);
    const Network net = b.build();
    const auto permitted = connection_permissions(b.description(), net);
    CHECK(Router().route(ClassGraphs(net, permitted, 1.5).of(VehicleClass::passenger), std::vector<int>{in, out}, {}) == std::vector<int>{in, major, out});
    CHECK(Router().route(ClassGraphs(net, permitted, 0.5).of(VehicleClass::passenger), std::vector<int>{in, out}, {}) == std::vector<int>{in, minor, out});
}
