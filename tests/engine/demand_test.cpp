#include "engine/demand.hpp"

#include <algorithm>
#include <cmath>

#include "engine/core/check.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/net_builder.hpp"

using namespace jamiton;

namespace {

// Two edges of 200 m with two lanes, the left one for buses only on the first, and a way back from the end.
struct Street {
    NetBuilder net;
    int ab = net.edge("ab", "a", "b", 200, 13.89f, 2);
    int bc = net.edge("bc", "b", "c", 200, 13.89f, 2);
    DemandDescription demand;
    DemandOptions options{.end = 1000};

    Street() {
        net.connect_all(ab, bc);
        net.lane(ab, 1).allowed = permission(VehicleClass::bus);
        demand.sources = {"cars.rou.xml"};
        VehicleType car = default_vehicle_type(VehicleClass::passenger);
        car.id = "car";
        car.speed_factor.deviation = 0;
        demand.types.push_back(car);
        demand.routes.push_back({.id = "r", .edges = {ab, bc}, .stops = {}, .source = {}});
    }

    VehicleDescription vehicle(const std::string& id, double depart = 0) const {
        VehicleDescription v;
        v.id = id;
        v.depart = depart;
        v.type = 0;
        v.route = 0;
        v.source = {0, 7};
        return v;
    }
    FlowDescription flow(const std::string& id, FlowKind kind, double begin, double end) const {
        FlowDescription f;
        f.vehicle = vehicle(id);
        f.kind = kind;
        f.begin = begin;
        f.end = end;
        return f;
    }
    Demand build() const { return build_demand(demand, net.description(), net.build(), options); }
    std::string error() const {
        try {
            build();
        } catch (const InputError& e) {
            return e.what();
        }
        return "nothing was thrown";
    }
};

std::vector<double> times(const Demand& d) { return d.planned; }

std::vector<int> edges_of(const Demand& d, std::size_t vehicle) {
    std::vector<int> edges;
    const Trip& trip = d.trips[vehicle];
    for (std::uint32_t r = trip.route_begin; r < trip.route_begin + trip.route_length; ++r)
        edges.push_back(d.stretch(r).edge);
    return edges;
}

}  // namespace

// --- Departures ----------------------------------------------------------------------------------------------------

TEST_CASE("vehicles are sorted by departure and step numbers count from the begin") {
    Street s;
    s.options.begin = 10;
    for (const auto& [id, depart] : {std::pair{"late", 12.3}, {"first", 10.0}, {"also", 12.3}, {"on", 12.0}})
        s.demand.vehicles.push_back(s.vehicle(id, depart));
    const Demand d = s.build();
    CHECK(d.ids == std::vector<std::string>{"first", "on", "late", "also"});
    CHECK(d.trips[0].depart_step == 0);
    CHECK(d.trips[1].depart_step == 2);
    CHECK(d.trips[2].depart_step == 3);
    CHECK(d.planned[2] == 12.3);
    CHECK(d.waiting_limit == -1);
    CHECK(d.warnings.empty());
}

TEST_CASE("vehicles due before the begin are left out by name") {
    Street s;
    s.options.begin = 100;
    for (int i = 0; i < 13; ++i) s.demand.vehicles.push_back(s.vehicle("v" + std::to_string(i), i));
    s.demand.vehicles.push_back(s.vehicle("in", 100));
    const Demand d = s.build();
    CHECK(d.ids == std::vector<std::string>{"in"});
    REQUIRE(d.warnings.size() == 11);
    CHECK(d.warnings[0] == "cars.rou.xml:7: <vehicle id=\"v0\"> is due at 0 s, before the begin at 100 s: left out");
    CHECK(d.warnings[10] == "3 more vehicles due before the begin left out");
}

TEST_CASE("a flow spaces its number evenly over its time") {
    Street s;
    s.demand.flows.push_back(s.flow("n", FlowKind::number, 20, 120));
    s.demand.flows[0].number = 4;
    const Demand d = s.build();
    CHECK(d.ids == std::vector<std::string>{"n.0", "n.1", "n.2", "n.3"});
    CHECK(times(d) == std::vector<double>{20, 45, 70, 95});
}

TEST_CASE("in one step vehicles enter before flows, and these in the order of the files") {
    Street s;
    s.demand.flows.push_back(s.flow("late", FlowKind::number, 9.7, 100));
    s.demand.flows.push_back(s.flow("early", FlowKind::number, 9.2, 100));
    for (FlowDescription& flow : s.demand.flows) flow.number = 1;
    s.demand.vehicles = {s.vehicle("v", 9.8), s.vehicle("w", 9.3), s.vehicle("before", 9)};
    CHECK(s.build().ids == std::vector<std::string>{"before", "w", "v", "late.0", "early.0"});
}

TEST_CASE("gaps of a flow are whole milliseconds as in SUMO") {
    Street s;
    s.demand.flows.push_back(s.flow("seven", FlowKind::number, 0, 100));
    s.demand.flows[0].number = 7;
    CHECK(times(s.build())[6] == 85.71);  // 6 times 14.285
    s.demand.flows[0] = s.flow("rate", FlowKind::period, 0, 100);
    s.demand.flows[0].period = 3600.0 / 700;
    CHECK(times(s.build())[2] == 10.286);  // 2 times 5.143
}

TEST_CASE("a flow with a period begins at once and ends before its end") {
    Street s;
    s.demand.flows.push_back(s.flow("p", FlowKind::period, 5, 45));
    s.demand.flows[0].period = 20;
    CHECK(times(s.build()) == std::vector<double>{5, 25});
    s.demand.flows[0].period = 60;
    CHECK(times(s.build()) == std::vector<double>{5});
    s.demand.flows[0].end = -1;  // that of the run
    s.demand.flows[0].period = 400;
    CHECK(times(s.build()) == std::vector<double>{5, 405, 805});
    s.demand.flows[0].number = 2;
    s.options.end = -1;
    CHECK(times(s.build()) == std::vector<double>{5, 405});
}

TEST_CASE("a flow without end in a run without end is an error") {
    Street s;
    s.options.end = -1;
    s.demand.flows.push_back(s.flow("p", FlowKind::period, 5, -1));
    s.demand.flows[0].period = 20;
    CHECK(s.error() ==
          "cars.rou.xml:7: <flow id=\"p\"> has no end, and the run has none: expected an end, or a number with a rate");
}

TEST_CASE("a flow that began before the run counts from the begin of the run") {
    Street s;
    s.options.begin = 50;
    s.demand.flows.push_back(s.flow("p", FlowKind::period, 0, 100));
    s.demand.flows[0].period = 20;
    const Demand d = s.build();
    CHECK(d.ids == std::vector<std::string>{"p.0", "p.1"});
    CHECK(times(d) == std::vector<double>{60, 80});
    REQUIRE(d.warnings.size() == 1);
    CHECK(d.warnings[0] == "cars.rou.xml:7: <flow id=\"p\"> begins before the run at 50 s: 3 vehicles left out");
}

TEST_CASE("a flow of probability draws once a step whatever its length") {
    for (const double step : {1.0, 0.5}) {
        Street s;
        s.options.step = step;
        s.options.end = 20000;
        s.demand.flows.push_back(s.flow("q", FlowKind::probability, 0, 20000));
        s.demand.flows[0].rate = 0.1;
        const Demand d = s.build();
        CHECK(std::abs(static_cast<double>(d.trips.size()) - 2000) < 4 * std::sqrt(2000));
        CHECK(std::adjacent_find(d.planned.begin(), d.planned.end()) == d.planned.end());
        CHECK(std::all_of(d.planned.begin(), d.planned.end(), [&](double t) { return std::fmod(t, step) == 0; }));
    }
}

TEST_CASE("a Poisson flow has exponential gaps") {
    Street s;
    s.options.end = 20000;
    s.demand.flows.push_back(s.flow("e", FlowKind::poisson, 0, 20000));
    s.demand.flows[0].rate = 0.1;
    const Demand d = s.build();
    CHECK(std::abs(static_cast<double>(d.trips.size()) - 2000) < 4 * std::sqrt(2000));
    int longer = 0;
    for (std::size_t i = 1; i < d.planned.size(); ++i) longer += d.planned[i] - d.planned[i - 1] > 10;
    CHECK(static_cast<double>(longer) / static_cast<double>(d.planned.size()) == Approx(std::exp(-1)).margin(0.04));
}

TEST_CASE("the scale copies vehicles and tightens flows as SUMO does") {
    Street s;
    s.options.scale = 1.5;
    for (int i = 0; i < 6; ++i) s.demand.vehicles.push_back(s.vehicle(std::string(1, static_cast<char>('a' + i)), i));
    s.demand.flows.push_back(s.flow("n", FlowKind::number, 100, 200));
    s.demand.flows[0].number = 5;
    const Demand d = s.build();
    const std::vector<std::string> names(d.ids.begin(), d.ids.begin() + 10);
    CHECK(names == std::vector<std::string>{"a", "a.1", "b", "b.1", "c", "d", "d.1", "e", "f", "f.1"});
    REQUIRE(d.ids.size() == 18);
    CHECK(d.planned[15] == 166.665);
    s.options.scale = 0.3;
    CHECK(s.build().ids == std::vector<std::string>{"a", "e", "n.0", "n.1"});
}

TEST_CASE("a copy takes the next number that no other vehicle has") {
    Street s;
    s.options.scale = 2;
    s.demand.vehicles.push_back(s.vehicle("x.1", 0));
    s.demand.vehicles.push_back(s.vehicle("x", 0));
    CHECK(s.build().ids == std::vector<std::string>{"x.1", "x.1.1", "x", "x.2"});
}

// --- What is drawn -------------------------------------------------------------------------------------------------

TEST_CASE("speed factors follow the type and stay between its bounds") {
    Street s;
    s.demand.types[0].speed_factor = {.mean = 1, .deviation = 0.1f, .min = 0.85f, .max = 1.1f};
    s.demand.flows.push_back(s.flow("n", FlowKind::number, 0, 1000));
    s.demand.flows[0].number = 4000;
    const Demand d = s.build();
    double sum = 0;
    for (const Trip& trip : d.trips) {
        const double factor = trip.speed_factor / 16384.0;
        CHECK(factor >= 0.85 - 1e-4);
        CHECK(factor <= 1.1 + 1e-4);
        sum += factor;
    }
    // Mean of a normal distribution cut at -1.5 and 1 standard deviations.
    CHECK(sum / 4000 == Approx(1 + 0.1 * (0.12952 - 0.24197) / (0.84134 - 0.06681)).margin(0.003));
}

TEST_CASE("draws change with the seed but not with begin end or other flows") {
    Street s;
    s.demand.types[0].speed_factor.deviation = 0.1f;
    s.demand.flows.push_back(s.flow("n", FlowKind::number, 0, 1000));
    s.demand.flows[0].number = 100;
    const Demand all = s.build();
    s.options.begin = 500;
    s.options.end = 700;
    s.demand.flows.insert(s.demand.flows.begin() + 1, s.flow("m", FlowKind::number, 0, 1000));
    s.demand.flows[1].number = 1;
    const Demand part = s.build();
    REQUIRE(part.trips.size() == 20);
    for (std::size_t i = 0; i < part.trips.size(); ++i)
        CHECK(part.trips[i].speed_factor == all.trips[i + 50].speed_factor);
    s.options.seed = 43;
    CHECK(s.build().trips[0].speed_factor != part.trips[0].speed_factor);
}

TEST_CASE("types and routes are drawn from nested distributions by weight") {
    Street s;
    for (const char* id : {"x", "y"}) {
        s.demand.types.push_back(s.demand.types[0]);
        s.demand.types.back().id = id;
    }
    s.demand.type_distributions.push_back({"mix", {-1 - 1, 0}, {1, 3}});
    s.demand.type_distributions.push_back({"inner", {1, 2}, {0.5, 0.5}});
    s.demand.routes.push_back({.id = "short", .edges = {s.ab}, .stops = {}, .source = {}});
    s.demand.route_distributions.push_back({"ways", {0, 1}, {0.2, 0.2}});
    s.demand.flows.push_back(s.flow("n", FlowKind::number, 0, 1000));
    s.demand.flows[0].number = 4000;
    s.demand.flows[0].vehicle.type = s.demand.flows[0].vehicle.route = -2;
    const Demand d = s.build();
    std::map<std::string, int> count;
    int brief = 0;
    for (const Trip& trip : d.trips) {
        ++count[d.types[trip.type].id];
        brief += trip.route_length == 1;
    }
    CHECK(std::abs(count["car"] - 3000) < 120);
    CHECK(std::abs(count["x"] - 500) < 90);
    CHECK(std::abs(count["y"] - 500) < 90);
    CHECK(std::abs(brief - 2000) < 130);
}

TEST_CASE("a vehicle without type has the default type") {
    Street s;
    s.options.default_speed_deviation = 0;
    s.demand.vehicles.push_back(s.vehicle("a"));
    s.demand.vehicles[0].type = -1;
    const Demand d = s.build();
    REQUIRE(d.types.size() == 1);
    CHECK(d.types[0].id == "DEFAULT_VEHTYPE");
    CHECK(d.trips[0].speed_factor == 16384);
}

// --- Departure and arrival -----------------------------------------------------------------------------------------

TEST_CASE("positions count from either end and are moved onto the lane with a warning") {
    Street s;
    int n = 0;
    for (const float position : {50.0f, -20.0f, 500.0f, -500.0f}) {
        VehicleDescription v = s.vehicle("v" + std::to_string(n++));
        v.depart_pos = DepartPos::position;
        v.arrival_pos = ArrivalPos::position;
        v.depart_pos_value = v.arrival_pos_value = position;
        s.demand.vehicles.push_back(v);
    }
    s.demand.vehicles.push_back(s.vehicle("usual"));
    s.demand.vehicles.push_back(s.vehicle("middle"));
    s.demand.vehicles.back().arrival_pos = ArrivalPos::center;
    const Demand d = s.build();
    for (const auto& [i, expected] : {std::pair{0, 50.0f}, {1, 180.0f}, {2, 200.0f}, {3, 0.0f}}) {
        CHECK(d.trips[i].depart_pos == expected);
        CHECK(d.trips[i].arrival_pos == expected);
    }
    CHECK(d.trips[4].arrival_pos == 200);
    CHECK(d.trips[5].arrival_pos == 100);
    REQUIRE(d.warnings.size() == 4);
    CHECK(d.warnings[0] ==
          "cars.rou.xml:7: <vehicle id=\"v2\"> has departPos 500, but its lane is 200 m long: it departs at 200 m");
}

TEST_CASE("a departure speed that nobody may drive is an error") {
    Street s;
    s.demand.vehicles.push_back(s.vehicle("fast"));
    VehicleDescription& v = s.demand.vehicles[0];
    v.depart_speed_value = 13.95f;  // a rounding of the limit
    CHECK(s.build().trips[0].depart_speed == 13.95f);
    v.depart_speed_value = 20;
    CHECK(s.error() ==
          "cars.rou.xml:7: <vehicle id=\"fast\"> has departSpeed 20 m/s, more than edge \"ab\" allows (13.89 m/s times "
          "speed factor 1)");
    v.depart_speed_value = 99;
    CHECK(s.error() ==
          "cars.rou.xml:7: <vehicle id=\"fast\"> has departSpeed 99 m/s, more than its type \"car\" reaches (55.5556 "
          "m/s)");
    v.depart_speed_value = -3;
    CHECK(s.error() ==
          "cars.rou.xml:7: <vehicle id=\"fast\"> has departSpeed -3, expected a number that is not negative");
}

TEST_CASE("a fast departure makes a fast driver where the type spreads") {
    Street s;
    s.demand.types[0].speed_factor.deviation = 0.1f;
    s.demand.vehicles.push_back(s.vehicle("fast"));
    s.demand.vehicles[0].depart_speed_value = 20;
    const Trip trip = s.build().trips[0];
    CHECK(trip.depart_speed == 20);
    CHECK(trip.speed_factor / 16384.0 * 13.89 >= 19.999);
    CHECK(trip.speed_factor / 16384.0 * 13.89 < 20.01);
}

TEST_CASE("lanes of departure and arrival must be there and be permitted") {
    Street s;
    s.demand.vehicles.push_back(s.vehicle("v"));
    VehicleDescription& v = s.demand.vehicles[0];
    v.depart_lane = DepartLane::index;
    v.depart_lane_index = 2;
    CHECK(s.error() == "cars.rou.xml:7: <vehicle id=\"v\"> has departLane 2, but edge \"ab\" has 2 lanes");
    v.depart_lane_index = 1;
    CHECK(s.error() ==
          "cars.rou.xml:7: <vehicle id=\"v\"> has departLane 1 of edge \"ab\", which its class passenger may not use");
    v.depart_lane_index = 0;
    v.arrival_lane = ArrivalLane::index;
    v.arrival_lane_index = 3;
    CHECK(s.error() == "cars.rou.xml:7: <vehicle id=\"v\"> has arrivalLane 3, but edge \"bc\" has 2 lanes");
    v.arrival_lane_index = 1;
    CHECK(s.build().trips[0].arrival_lane == 1);
    v.arrival_lane = ArrivalLane::first;
    CHECK(s.build().trips[0].arrival_lane == 0);
}

TEST_CASE("a vehicle waits as many steps as the longest delay holds") {
    Street s;
    s.options.step = 0.5;
    s.options.max_depart_delay = 10;
    s.demand.vehicles.push_back(s.vehicle("v"));
    CHECK(s.build().waiting_limit == 20);
}

// --- Routes --------------------------------------------------------------------------------------------------------

TEST_CASE("a route that is not connected for the class is an error or is cut") {
    Street s;
    s.demand.routes[0].edges = {s.ab, s.bc, s.ab};
    s.demand.vehicles.push_back(s.vehicle("v"));
    CHECK(s.error() ==
          "cars.rou.xml:7: <vehicle id=\"v\"> route is not connected between edge \"bc\" and edge \"ab\" for class "
          "passenger");
    s.options.ignore_route_errors = true;
    const Demand d = s.build();
    CHECK(edges_of(d, 0) == std::vector<int>{s.ab, s.bc});
    REQUIRE(d.warnings.size() == 1);
}

TEST_CASE("the permission of a connection is that of its lanes too") {
    Street s;
    s.demand.types[0].vehicle_class = VehicleClass::truck;
    s.demand.vehicles.push_back(s.vehicle("v"));
    CHECK(s.build().trips.size() == 1);
    s.net.lane(s.bc, 0).allowed = permission(VehicleClass::passenger);
    CHECK(s.error() ==
          "cars.rou.xml:7: <vehicle id=\"v\"> route is not connected between edge \"ab\" and edge \"bc\" for class "
          "truck");
    s.net.lane(s.ab, 0).allowed = permission(VehicleClass::passenger);
    CHECK(
        s.error() ==
        "cars.rou.xml:7: <vehicle id=\"v\"> may not use any lane of edge \"ab\", where it departs: its class is truck");
    s.demand.types[0].vehicle_class = VehicleClass::ignoring;
    CHECK(s.build().trips.size() == 1);
}

TEST_CASE("departEdge and arrivalEdge cut the route") {
    Street s;
    s.demand.vehicles.push_back(s.vehicle("v"));
    s.demand.vehicles[0].depart_edge = 1;
    CHECK(edges_of(s.build(), 0) == std::vector<int>{s.bc});
    s.demand.vehicles[0].depart_edge = 0;
    s.demand.vehicles[0].arrival_edge = 0;
    CHECK(edges_of(s.build(), 0) == std::vector<int>{s.ab});
}

TEST_CASE("a trip without a way is an error or left out by name") {
    Street s;
    s.demand.vehicles.push_back(s.vehicle("v"));
    s.demand.vehicles[0].route = -1;
    s.demand.vehicles[0].via = {s.bc, s.ab};
    CHECK(s.error() ==
          "cars.rou.xml:7: <trip id=\"v\"> finds no way from edge \"bc\" to edge \"ab\" for class passenger");
    s.options.ignore_route_errors = true;
    const Demand d = s.build();
    CHECK(d.trips.empty());
    CHECK(d.warnings.size() == 1);
}

TEST_CASE("equal routes share their place in the pool") {
    Street s;
    s.demand.routes.push_back(s.demand.routes[0]);
    for (int i = 0; i < 5; ++i) s.demand.vehicles.push_back(s.vehicle(std::to_string(i)));
    s.demand.vehicles[3].route = 1;
    s.demand.vehicles[4].arrival_lane = ArrivalLane::index;
    const Demand d = s.build();
    CHECK(d.trips[3].route_begin == d.trips[0].route_begin);
    CHECK(d.trips[4].route_begin != d.trips[0].route_begin);
    CHECK(d.route_pool.size() == 4);
}
