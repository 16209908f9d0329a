#include "engine/stretches.hpp"

#include "engine/routing.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/net_builder.hpp"

using namespace jamiton;

namespace {

struct Pool {
    Network net;
    std::vector<Permissions> permitted;
    StretchPool pool;
    Demand demand;

    explicit Pool(const NetBuilder& b)
        : net(b.build()), permitted(connection_permissions(b.description(), net)), pool(net, permitted) {}

    StretchPool::Range intern(const std::vector<int>& edges, ArrivalPlace arrival = {},
                              VehicleClass c = VehicleClass::passenger) {
        const StretchPool::Range range = pool.intern(edges, c, arrival);
        pool.move_into(demand);
        return range;
    }
    const LaneChoice& stretch(std::uint32_t at) const { return demand.stretch(at); }
    const LaneChoice& choice(std::uint32_t at, int lane) const { return (&stretch(at))[lane]; }
    std::vector<int> offsets(std::uint32_t at) const {
        std::vector<int> all;
        for (int k = 0; k < net.edges[stretch(at).edge].lane_count; ++k) all.push_back(choice(at, k).best_offset);
        return all;
    }
    int target(std::uint32_t at, int lane) const {  // lane index on the next edge, -1 none
        const int c = choice(at, lane).connection;
        return c < 0 ? -1 : net.lanes[net.connections[c].to_lane].index;
    }
};

}  // namespace

TEST_CASE("a left exit from the leftmost of three lanes") {
    NetBuilder b;
    const int road = b.edge("road", "a", "b", 400, 13.89f, 3), on = b.edge("on", "b", "c", 200, 13.89f, 2),
              left = b.edge("left", "b", "d", 150);
    b.connect(road, 0, on, 0);
    b.connect(road, 1, on, 1);
    b.connect(road, 2, left, 0);
    Pool p(b);
    const auto turn = p.intern({road, left}), straight = p.intern({road, on});
    CHECK(p.offsets(turn.begin) == std::vector<int>{2, 1, 0});
    CHECK(p.offsets(straight.begin) == std::vector<int>{0, 0, -1});
    CHECK(p.target(turn.begin, 0) == -1);
    CHECK(p.target(turn.begin, 2) == 0);
    CHECK(p.target(straight.begin, 1) == 1);
    CHECK(p.choice(turn.begin, 0).drivable == 400);
    CHECK(p.choice(turn.begin, 2).drivable == 550);
    CHECK(p.stretch(turn.begin).last == 0);
    CHECK(p.stretch(turn.begin + 1).last == 1);
}

TEST_CASE("the lane ahead that leads farther is taken and of equal ones the one that needs no change") {
    NetBuilder b;
    const int first = b.edge("first", "a", "b", 100), second = b.edge("second", "b", "c", 100, 13.89f, 4),
              exit = b.edge("exit", "c", "d", 100);
    b.connect(first, 0, second, 0);
    b.connect(first, 0, second, 2);
    b.connect(first, 0, second, 1);
    b.connect(second, 3, exit, 0);
    Pool p(b);
    const auto r = p.intern({first, second, exit});
    CHECK(p.target(r.begin, 0) == 2);             // none leads on, lane 2 is nearest to the one that does
    CHECK(p.choice(r.begin, 0).drivable == 300);  // the one change counts as made
    CHECK(p.offsets(r.begin + 1) == std::vector<int>{3, 2, 1, 0});
}

TEST_CASE("lanes that lead as far are told apart by the changes that follow") {
    NetBuilder b;
    const int first = b.edge("first", "a", "b", 100, 13.89f, 2), second = b.edge("second", "b", "c", 100, 13.89f, 3),
              exit = b.edge("exit", "c", "d", 100);
    b.connect(first, 0, second, 0);
    b.connect(first, 1, second, 1);
    b.connect(second, 2, exit, 0);
    Pool p(b);
    CHECK(p.offsets(p.intern({first, second, exit}).begin) == std::vector<int>{1, 0});
}

TEST_CASE("between two lanes that lead on the left one is nearer") {
    NetBuilder b;
    const int road = b.edge("road", "a", "b", 500, 13.89f, 5), on = b.edge("on", "b", "c", 300, 13.89f, 2);
    b.connect(road, 0, on, 0);
    b.connect(road, 4, on, 1);
    Pool p(b);
    CHECK(p.offsets(p.intern({road, on}).begin) == std::vector<int>{0, -1, 2, 1, 0});
}

TEST_CASE("lanes and connections closed to the class are no way") {
    NetBuilder b;
    const int road = b.edge("road", "a", "b", 300, 13.89f, 3), on = b.edge("on", "b", "c", 200, 13.89f, 3);
    b.connect(road, 0, on, 0);
    b.connect(road, 1, on, 1, 'M', 5, permission(VehicleClass::bus));
    b.connect(road, 2, on, 2);
    b.lane(road, 0).allowed = permission(VehicleClass::bus);
    Pool p(b);
    const auto car = p.intern({road, on}), bus = p.intern({road, on}, {}, VehicleClass::bus);
    CHECK(p.offsets(car.begin) == std::vector<int>{2, 1, 0});
    CHECK(p.choice(car.begin, 0).allowed == 0);
    CHECK(p.choice(car.begin, 0).drivable == 0);
    CHECK(p.target(car.begin, 1) == -1);
    CHECK(p.offsets(bus.begin) == std::vector<int>{0, 0, 0});
}

TEST_CASE("a lane of arrival draws towards it on the last edge") {
    NetBuilder b;
    const int road = b.edge("road", "a", "b", 300, 13.89f, 2), end = b.edge("end", "b", "c", 200, 13.89f, 2);
    b.connect_all(road, end);
    Pool p(b);
    const auto any = p.intern({road, end}), left = p.intern({road, end}, {.lane = 1, .position = 80});
    CHECK(p.offsets(any.begin + 1) == std::vector<int>{0, 0});
    CHECK(p.offsets(left.begin + 1) == std::vector<int>{1, 0});
    CHECK(p.offsets(left.begin) == std::vector<int>{1, 0});
    CHECK(p.choice(left.begin, 0).drivable == 380);
    CHECK(p.choice(left.begin + 1, 0).connection == -1);
}

TEST_CASE("an arrival at the very start of the last edge is farther than a lane that does not lead there") {
    NetBuilder b;
    const int a = b.edge("a", "m", "n", 100, 13.89f, 2), z = b.edge("z", "n", "o", 50);
    b.connect(a, 1, z, 0);
    Pool p(b);
    const auto range = p.intern({a, z}, {.lane = -1, .position = 0});
    CHECK(p.offsets(range.begin) == std::vector<int>{1, 0});
}

TEST_CASE("routes that agree within the horizon share stretches and others do not") {
    NetBuilder b;
    std::vector<int> edges;
    for (int i = 0; i < 20; ++i)
        edges.push_back(
            b.edge("e" + std::to_string(i), "j" + std::to_string(i), "j" + std::to_string(i + 1), 100, 13.89f, 2));
    const int exit = b.edge("exit", "j19", "x", 100);
    for (int i = 0; i < 19; ++i) b.connect_all(edges[i], edges[i + 1]);
    b.connect(edges[18], 1, exit, 0);
    Pool p(b);
    std::vector<int> turning = edges;
    turning.back() = exit;
    const auto one = p.intern(edges), other = p.intern(turning);
    // Nine edges are thought of: from edge 11 on the one where they differ.
    for (int i = 0; i < 11; ++i) CHECK(p.demand.route_pool[one.begin + i] == p.demand.route_pool[other.begin + i]);
    for (int i = 11; i < 20; ++i) CHECK(p.demand.route_pool[one.begin + i] != p.demand.route_pool[other.begin + i]);
    CHECK(p.offsets(other.begin + 10) == std::vector<int>{0, 0});
    CHECK(p.offsets(other.begin + 11) == std::vector<int>{1, 0});
    CHECK(p.intern(edges).begin == one.begin);
    CHECK(p.demand.route_pool.size() == 40);
}

TEST_CASE("a route may come over an edge again") {
    NetBuilder b;
    const int ab = b.edge("ab", "a", "b", 50), ba = b.edge("ba", "b", "a", 50);
    b.connect_all(ab, ba);
    b.connect_all(ba, ab);
    Pool p(b);
    const auto r = p.intern({ab, ba, ab, ba, ab});
    CHECK(r.end - r.begin == 5);
    CHECK(p.choice(r.begin, 0).drivable == 250);
    CHECK(p.choice(r.begin + 4, 0).drivable == 50);
}

TEST_CASE("a lane that has to give way counts as ending where others have priority") {
    NetBuilder b;
    const int road = b.edge("road", "a", "b", 100, 13.89f, 2), on = b.edge("on", "b", "c", 100, 13.89f, 2);
    b.connect(road, 0, on, 0, 'm');
    b.connect(road, 1, on, 1, 'M');
    Pool p(b);
    const auto r = p.intern({road, on});
    CHECK(p.offsets(r.begin) == std::vector<int>{1, 0});
    CHECK(p.choice(r.begin, 0).drivable == 100);
    CHECK(p.choice(r.begin, 1).drivable == 200);
    CHECK(p.target(r.begin, 0) == 0);  // it may be driven all the same
}

TEST_CASE("the way in a roundabout counts from where it is entered, over two of its edges or more") {
    NetBuilder b;
    const int road = b.edge("road", "a", "b", 100), in = b.edge("in", "b", "c", 50), first = b.edge("r0", "c", "d", 20),
              second = b.edge("r1", "d", "e", 30), out = b.edge("out", "e", "f", 80),
              soon = b.edge("soon", "d", "g", 80);
    for (const auto& [from, to] : {std::pair{road, in}, {in, first}, {first, second}, {second, out}, {first, soon}})
        b.connect(from, 0, to, 0);  // 5 m each
    b.ring({first, second});
    Pool p(b);
    const auto far = p.intern({road, in, first, second, out}), near = p.intern({road, in, first, soon});
    CHECK(p.choice(far.begin, 0).roundabout == 600);  // 5 + 20 + 5 + 30 m in dm
    CHECK(p.choice(far.begin + 1, 0).roundabout == 600);
    CHECK(p.choice(far.begin + 2, 0).roundabout == 550);  // from the start of its edge
    CHECK(p.choice(far.begin + 3, 0).roundabout == 0);    // one edge is left
    CHECK(p.choice(near.begin, 0).roundabout == 0);
}
