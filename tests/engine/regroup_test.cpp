// Regrouping by counts and scans against a full sort.
#include "engine/regroup.hpp"

#include <algorithm>
#include <random>

#include "tests/support/catch.hpp"

using namespace jamiton;

namespace {

bool in_order(const Kinematics& a, const Kinematics& b) {
    if (a.lane != b.lane) return a.lane < b.lane;
    return a.position != b.position ? a.position > b.position : a.vehicle < b.vehicle;
}

// A state with random vehicles on random lanes, a step that moves some of them, and what a sort makes of it.
struct Case {
    VehicleState from, to;
    Array<int> where;
    std::vector<Kinematics> expected;
    int total = 0;
    std::mt19937 random;

    int below(int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }
    float some_position() { return static_cast<float>(below(60)); }  // whole metres, so that ties occur

    // Of 100 vehicles so many change lane and leave; `newcomers` are appended.
    Case(unsigned seed, int lanes, int vehicles, int movers, int leavers, int newcomers)
        : where(static_cast<std::size_t>(vehicles + newcomers)), total(vehicles + newcomers), random(seed) {
        std::vector<std::uint32_t> numbers(static_cast<std::size_t>(total));
        for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::uint32_t>(i);
        std::shuffle(numbers.begin(), numbers.end(), random);
        std::vector<Kinematics> before;
        for (int i = 0; i < vehicles; ++i)
            before.push_back({some_position(), 0, numbers[static_cast<std::size_t>(i)], below(lanes)});
        std::sort(before.begin(), before.end(), in_order);

        from.reserve(total);
        to.reserve(total);
        from.lane_begin.resize(static_cast<std::size_t>(lanes) + 1);
        to.lane_begin.resize(static_cast<std::size_t>(lanes) + 1);
        from.count = vehicles;
        for (int lane = 0; lane <= lanes; ++lane)
            from.lane_begin[lane] = static_cast<int>(
                std::count_if(before.begin(), before.end(), [lane](const Kinematics& k) { return k.lane < lane; }));
        where.fill(-1);
        for (int i = 0; i < vehicles; ++i) {
            where[before[static_cast<std::size_t>(i)].vehicle] = i;
            put(i, moved(before[static_cast<std::size_t>(i)], lanes, movers, leavers));
        }
        for (int i = vehicles; i < total; ++i)
            put(i, {some_position(), 1, numbers[static_cast<std::size_t>(i)], below(lanes)});
        std::sort(expected.begin(), expected.end(), in_order);
    }

    Kinematics moved(Kinematics k, int lanes, int movers, int leavers) {
        const int fate = below(100);
        if (fate < leavers)
            k.lane = gone;
        else if (fate < leavers + movers) {
            const int lane = below(lanes);
            if (lane != k.lane) return {some_position(), 2, k.vehicle, lane};
        }
        k.position += 3;  // all stayers the same: they keep their order
        return k;
    }
    void put(int i, const Kinematics& k) {
        from.kinematics[i] = k;
        from.attributes[i].route_at = k.vehicle + 7;
        from.memory[i].odometer = k.vehicle + 9;
        if (k.lane != gone) expected.push_back(k);
    }

    // Empty when all is as the sort says.
    std::string difference(const VehicleState& state, int lanes) const {
        if (state.count != static_cast<int>(expected.size()))
            return "count " + std::to_string(state.count) + ", expected " + std::to_string(expected.size());
        std::vector<int> begin(static_cast<std::size_t>(lanes) + 1, 0);
        for (int i = 0; i < state.count; ++i) {
            const Kinematics &k = state.kinematics[i], &e = expected[static_cast<std::size_t>(i)];
            const std::string at = "place " + std::to_string(i) + ": ";
            if (k.vehicle != e.vehicle || k.lane != e.lane || k.position != e.position || k.speed != e.speed)
                return at + "vehicle " + std::to_string(k.vehicle) + ", expected " + std::to_string(e.vehicle);
            if (state.attributes[i].route_at != e.vehicle + 7 || state.memory[i].odometer != e.vehicle + 9)
                return at + "parts of another vehicle";
            if (where[e.vehicle] != i) return at + "where says " + std::to_string(where[e.vehicle]);
            ++begin[static_cast<std::size_t>(e.lane) + 1];
        }
        for (std::size_t lane = 1; lane < begin.size(); ++lane) begin[lane] += begin[lane - 1];
        if (!std::equal(begin.begin(), begin.end(), state.lane_begin.begin())) return "lane_begin";
        for (int i = 0; i < total; ++i)
            if (from.kinematics[i].lane == gone && where[from.kinematics[i].vehicle] != -1)
                return "one who left is still somewhere";
        return {};
    }
};

}  // namespace

TEST_CASE("regrouping equals a full sort on many small states") {
    ThreadPool pool(1);
    Exec exec;
    exec.threads = &pool;
    for (unsigned seed = 0; seed < 6000; ++seed) {
        const int lanes = 1 + static_cast<int>(seed % 9), vehicles = static_cast<int>(seed / 9 % 25);
        const int movers = static_cast<int>(seed % 4) * 30, leavers = static_cast<int>(seed / 4 % 3) * 10,
                  newcomers = static_cast<int>(seed / 12 % 4);
        Case c(seed, lanes, vehicles, movers, leavers, newcomers);
        Regroup regroup(lanes, vehicles);
        INFO("seed " << seed << " lanes " << lanes << " vehicles " << vehicles);
        if (regroup.run(exec, c.from, c.total, c.to, c.where.data()))
            REQUIRE(c.difference(c.to, lanes) == "");
        else
            REQUIRE(c.difference(c.from, lanes) == "");
    }
}

TEST_CASE("regrouping equals a full sort for any number of threads") {
    for (const int threads : {1, 2, 4}) {
        ThreadPool pool(threads);
        Exec exec;
        exec.threads = &pool;
        Regroup regroup(3000, 100);  // grows with the vehicles
        for (unsigned seed = 0; seed < 12; ++seed) {
            Case c(seed, 3000, 6000, 20, 2, 300);
            INFO("threads " << threads << " seed " << seed);
            REQUIRE(regroup.run(exec, c.from, c.total, c.to, c.where.data()));
            REQUIRE(c.difference(c.to, 3000) == "");
        }
        for (unsigned seed = 0; seed < 6; ++seed) {  // a handful of lanes: large buckets
            Case c(seed, 5, 5000, 50, 10, 500);
            Regroup few(5, 0);
            REQUIRE(few.run(exec, c.from, c.total, c.to, c.where.data()));
            REQUIRE(c.difference(c.to, 5) == "");
        }
    }
}

TEST_CASE("nothing is done when nobody moved") {
    ThreadPool pool(2);
    Exec exec;
    exec.threads = &pool;
    Case c(1, 4, 50, 0, 0, 0);
    Regroup regroup(4, 50);
    CHECK_FALSE(regroup.run(exec, c.from, c.total, c.to, c.where.data()));
    Case left(1, 4, 50, 0, 100, 0);  // and everybody may leave
    CHECK(regroup.run(exec, left.from, left.total, left.to, left.where.data()));
    CHECK(left.to.count == 0);
}

TEST_CASE("a broken lane is sorted with all that belongs to its vehicles") {
    Case c(5, 6, 200, 0, 0, 0);
    VehicleState& state = c.from;
    std::mt19937 random(3);
    for (int lane = 0; lane < 6; ++lane) {
        const int begin = state.lane_begin[lane], end = state.lane_begin[lane + 1];
        for (int i = end - 1; i > begin; --i) {
            const int j = begin + static_cast<int>(random() % static_cast<unsigned>(i - begin + 1));
            std::swap(state.kinematics[i], state.kinematics[j]);
            std::swap(state.attributes[i], state.attributes[j]);
            std::swap(state.memory[i], state.memory[j]);
        }
    }
    for (int i = 0; i < state.count; ++i) c.where[state.kinematics[i].vehicle] = i;
    sort_lanes(state, c.where.data());
    CHECK(c.difference(state, 6) == "");
}

TEST_CASE("who has overtaken within a lane neither doubles nor loses anybody") {
    ThreadPool pool(1);
    Exec exec;
    exec.threads = &pool;
    for (unsigned seed = 0; seed < 3000; ++seed) {
        const int lanes = 1 + static_cast<int>(seed % 4), vehicles = 3 + static_cast<int>(seed % 12);
        Case c(seed, lanes, vehicles, 30, 10, 3);
        for (int i = 0; i < vehicles; ++i)
            if (c.from.kinematics[i].lane != gone) c.from.kinematics[i].position = c.some_position();
        Regroup regroup(lanes, vehicles);
        if (!regroup.run(exec, c.from, c.total, c.to, c.where.data())) continue;
        sort_lanes(c.to, c.where.data());
        for (Kinematics& k : c.expected)
            for (int i = 0; i < c.total; ++i)
                if (c.from.kinematics[i].vehicle == k.vehicle) k = c.from.kinematics[i];
        std::sort(c.expected.begin(), c.expected.end(), in_order);
        INFO("seed " << seed);
        REQUIRE(c.difference(c.to, lanes) == "");
    }
}
