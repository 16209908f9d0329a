// Rerouters. What is expected here is what SUMO 1.15 does on the same network.
#include <algorithm>

#include "tests/support/catch.hpp"
#include "tests/support/net_builder.hpp"
#include "tests/support/scene.hpp"

using namespace jamiton;

namespace {

// From `pre` over `in`, where a rerouter stands, and the short or the long way to `out` or `side`.
struct Rerouted : Scene {
    int pre, in, short_way, long_way, out, side;
    double until = 1000;  // of the interval, s

    Rerouted() {
        NetBuilder b;
        pre = b.edge("pre", "z", "a", 200, 10);
        in = b.edge("in", "a", "b", 200, 10);
        short_way = b.edge("short", "b", "c", 1000, 10);
        long_way = b.edge("long", "b", "c", 1500, 10);
        out = b.edge("out", "c", "d", 200, 10);
        side = b.edge("side", "c", "e", 300, 10);
        b.connect_all(pre, in);
        for (const int way : {short_way, long_way}) {
            b.connect_all(in, way);
            b.connect_all(way, out);
            b.connect_all(way, side);
        }
        network = b.description();
        add_type(exact_car());
        add_rerouter(in);
    }

    RerouterInterval& add_rerouter(int edge) {
        demand.rerouters.push_back(
            {.edges = {edge},
             .probability = 1,
             .types = {},
             .intervals = {{.begin = 0, .end = until, .closed = {}, .destinations = {}, .routes = {}}}});
        return demand.rerouters.back().intervals[0];
    }
    RerouterInterval& interval() { return demand.rerouters[0].intervals[0]; }
    void drive(const std::vector<int>& edges, double depart = 0) { add_vehicle(depart, 0, add_route(edges)); }
    void send_to(int edge, double weight = 1) {
        interval().destinations.members.push_back(edge);
        interval().destinations.weights.push_back(weight);
    }

    static std::vector<int> route(const Simulation& s, std::size_t vehicle = 0) {
        const Trip& trip = s.demand().trips[vehicle];
        return edges_of(s.demand(), trip.route_begin, trip.route_begin + trip.route_length);
    }
    Simulation run_to_end(int threads = 1) {
        options.threads = threads;
        Simulation s = simulate();
        while (!s.everybody_left()) s.step();
        s.check_conservation();
        return s;
    }
    std::vector<int> route_driven() { return route(run_to_end()); }
};

using Edges = std::vector<int>;

}  // namespace

TEST_CASE("who would drive over a closed edge goes round it, and nobody else") {
    Rerouted scene;
    const Edges over_short{scene.pre, scene.in, scene.short_way, scene.out};
    const Edges over_long{scene.pre, scene.in, scene.long_way, scene.out};
    scene.drive(over_short);
    scene.interval().closed = {scene.short_way};
    const Simulation s = scene.run_to_end();
    CHECK(Rerouted::route(s) == over_long);
    CHECK(s.trips().reroutes[0] == 1);
    scene.interval().closed = {scene.short_way, scene.long_way};  // no other way
    CHECK(scene.route_driven() == over_short);
    scene.interval().closed = {scene.out};  // its destination
    CHECK(scene.route_driven() == Edges{scene.pre, scene.in});
    scene.interval().closed = {scene.in};  // where it is
    CHECK(scene.route_driven() == over_short);
    scene.demand.routes[0].edges = over_long;
    scene.interval().closed = {scene.short_way};
    CHECK(scene.route_driven() == over_long);
    scene.demand.routes[0].edges = {scene.in, scene.short_way, scene.out};  // departs at the rerouter
    CHECK(scene.route_driven() == Edges{scene.in, scene.long_way, scene.out});
}

// The vehicle comes onto `in` at 22 s.
TEST_CASE("the first interval that holds counts, for some types and with some probability") {
    Rerouted scene;
    const Edges over_short{scene.pre, scene.in, scene.short_way, scene.out};
    const Edges to_side{scene.pre, scene.in, scene.short_way, scene.side};
    scene.drive(over_short);
    scene.send_to(scene.side);
    scene.interval().end = 22;
    CHECK(scene.route_driven() == over_short);
    scene.interval().end = 23;
    CHECK(scene.route_driven() == to_side);
    RerouterInterval closing{.begin = 0, .end = 100, .closed = {scene.short_way}, .destinations = {}, .routes = {}};
    scene.demand.rerouters[0].intervals.push_back(closing);
    CHECK(scene.route_driven() == to_side);
    scene.interval().begin = 23;
    CHECK(scene.route_driven() == Edges{scene.pre, scene.in, scene.long_way, scene.out});
    scene.demand.rerouters[0].types = {"exact"};
    CHECK(scene.route_driven() != over_short);
    scene.demand.rerouters[0].types = {"other"};
    CHECK(scene.route_driven() == over_short);
    scene.demand.rerouters[0].types.clear();
    scene.demand.rerouters[0].probability = 0;
    CHECK(scene.route_driven() == over_short);
}

TEST_CASE("a new destination keeps the place of arrival, or the trip ends at once") {
    Rerouted scene;
    scene.drive({scene.pre, scene.in, scene.long_way, scene.out});
    scene.send_to(scene.side);
    const Simulation at_end = scene.run_to_end();
    CHECK(Rerouted::route(at_end) == Edges{scene.pre, scene.in, scene.short_way, scene.side});
    CHECK(at_end.trips().arrival_pos[0] == 300);
    scene.demand.vehicles[0].arrival_pos = ArrivalPos::position;
    scene.demand.vehicles[0].arrival_pos_value = 30;
    CHECK(scene.run_to_end().trips().arrival_pos[0] == 30);
    scene.interval().destinations.members = {keep_destination};  // but not the way
    CHECK(scene.route_driven() == Edges{scene.pre, scene.in, scene.short_way, scene.out});
    scene.interval().destinations.members = {scene.pre};  // no way back
    CHECK(scene.route_driven() == Edges{scene.pre, scene.in, scene.long_way, scene.out});
    scene.interval().destinations.members = {end_trip_here};
    const Simulation ended = scene.run_to_end();
    CHECK(Rerouted::route(ended) == Edges{scene.pre, scene.in});
    CHECK(ended.trips().arrival[0] == 22);
    CHECK(ended.trips().arrival_pos[0] < 10);
    scene.demand.routes[0].edges = {scene.in, scene.short_way};
    const Simulation on_entry = scene.run_to_end();
    CHECK(on_entry.trips().arrival[0] == 1);
    CHECK(on_entry.trips().status[0] == TripStatus::arrived);
}

TEST_CASE("a route of a rerouter is driven from its edge on") {
    Rerouted scene;
    const Edges over_short{scene.pre, scene.in, scene.short_way, scene.out};
    scene.drive(over_short);
    scene.interval().routes.members = {scene.add_route({scene.in, scene.long_way, scene.side})};
    scene.interval().routes.weights = {1};
    scene.send_to(scene.side, 100);  // routes go first
    CHECK(scene.route_driven() == Edges{scene.pre, scene.in, scene.long_way, scene.side});
    scene.demand.routes[1].edges = {scene.long_way, scene.side};
    CHECK(scene.route_driven() == over_short);
    scene.demand.routes[1].edges = {scene.in, scene.side};
    CHECK(scene.route_driven() == over_short);
}

TEST_CASE("rerouters of one edge act one after the other") {
    Rerouted scene;
    scene.drive({scene.pre, scene.in, scene.short_way, scene.out});
    scene.interval().closed = {scene.short_way};
    RerouterInterval& second = scene.add_rerouter(scene.in);
    second.destinations.members = {scene.side};
    second.destinations.weights = {1};
    const Simulation s = scene.run_to_end();
    CHECK(Rerouted::route(s) == Edges{scene.pre, scene.in, scene.short_way, scene.side});
    CHECK(s.trips().reroutes[0] == 2);
}

TEST_CASE("stops that are not on the new way are left out") {
    Rerouted scene;
    scene.drive({scene.pre, scene.in, scene.short_way, scene.out});
    for (const int edge : {scene.short_way, scene.out}) {
        StopDescription stop;
        stop.lane = edge;
        stop.start_pos = 90;
        stop.end_pos = 100;
        stop.duration = edge == scene.out ? 7 : 100;
        scene.demand.vehicles[0].stops.push_back(stop);
    }
    scene.interval().closed = {scene.short_way};
    CHECK(scene.run_to_end().trips().stop_time[0] == 7);
    scene.interval().closed.clear();
    scene.send_to(end_trip_here);
    CHECK(scene.run_to_end().trips().stop_time[0] == 0);
}

TEST_CASE("a closed lane holds up who needs it until it opens, its class alone") {
    Rerouted scene;
    scene.demand.rerouters.clear();
    scene.drive({scene.pre, scene.in, scene.short_way, scene.out});
    const auto arrival = [&] { return scene.run_to_end().trips().arrival[0]; };
    const double unhindered = arrival();
    LaneClosureDescription closure{
        .lane = scene.short_way, .begin = 30, .end = 200, .closed = permission(VehicleClass::truck)};
    scene.demand.lane_closures = {closure};
    CHECK(arrival() == unhindered);
    scene.demand.lane_closures[0].closed = all_classes;
    CHECK(arrival() > unhindered + 150);  // stands at the end of `in` until 200 s
    CHECK(arrival() < unhindered + 170);
    scene.demand.lane_closures.push_back(closure);
    scene.demand.lane_closures[1].lane = scene.pre;  // behind it
    CHECK(arrival() < unhindered + 170);
}

// While the short way is closed to them, trips that are routed in the run find the long one.
TEST_CASE("closed lanes are no way, and stops are made in spite of them") {
    Rerouted scene;
    scene.demand.rerouters.clear();
    scene.demand.lane_closures = {{.lane = scene.short_way, .begin = 50, .end = 100, .closed = all_classes}};
    for (const double depart : {20.0, 60.0, 120.0}) scene.add_vehicle(depart, 0, -1).via = {scene.pre, scene.out};
    StopDescription stop;
    stop.lane = scene.out;
    stop.start_pos = 90;
    stop.end_pos = 100;
    stop.duration = 7;
    for (VehicleDescription& v : scene.demand.vehicles) v.stops = {stop};
    const Simulation s = scene.run_to_end();
    CHECK(Rerouted::route(s, 0)[2] == scene.short_way);
    CHECK(Rerouted::route(s, 1)[2] == scene.long_way);
    CHECK(Rerouted::route(s, 2)[2] == scene.short_way);
    CHECK(s.trips().stop_time == std::vector<float>{7, 7, 7});
}

// A trip that is routed again by and by keeps its new destination.
TEST_CASE("rerouters and rerouting get along, the same for 1 and 4 threads") {
    Rerouted scene;
    for (int n = 0; n < 200; ++n) scene.add_vehicle(4 * n, 0, -1).via = {scene.pre, scene.out};
    scene.routing.period = 10;
    scene.send_to(scene.side, 3);
    scene.send_to(keep_destination, 2);
    scene.demand.rerouters[0].probability = 0.5;
    const Simulation one = scene.run_to_end(), four = scene.run_to_end(4);
    CHECK(one.summary().state_hash == four.summary().state_hash);
    int to_side = 0;
    for (std::size_t v = 0; v < 200; ++v) {
        CHECK(Rerouted::route(one, v) == Rerouted::route(four, v));
        to_side += Rerouted::route(one, v).back() == scene.side;
    }
    CHECK(to_side > 40);  // 60 +- 6.5
    CHECK(to_side < 80);
    CHECK(one.trips().arrival == four.trips().arrival);
}
