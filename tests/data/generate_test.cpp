#include "data/generate_scenario.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <numbers>
#include <set>

#include "data/right_of_way_table.hpp"
#include "data/road_plan.hpp"
#include "data/sumo_demand.hpp"
#include "data/sumo_demand_writer.hpp"
#include "data/sumo_network.hpp"
#include "data/sumo_network_writer.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/small_net.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace jamiton;

namespace {

std::string content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// Roads both ways from a junction to the ends of arms of these bearings (degrees) and priorities.
RoadPlan star(const std::vector<std::pair<double, int>>& arms, JunctionType type, int lanes = 1) {
    RoadPlan plan;
    plan.junctions.push_back({"middle", {0, 0}, type});
    for (const auto& [bearing, priority] : arms) {
        const double angle = bearing * std::numbers::pi / 180;
        const int end = static_cast<int>(plan.junctions.size());
        plan.junctions.push_back({"end" + std::to_string(end), {200 * std::cos(angle), 200 * std::sin(angle)}});
        for (const bool towards : {true, false}) {
            PlannedRoad road;
            road.id = (towards ? "in" : "out") + std::to_string(end);
            road.from = towards ? end : 0;
            road.to = towards ? 0 : end;
            road.lanes = lanes;
            road.priority = priority;
            plan.roads.push_back(road);
        }
    }
    return plan;
}

std::vector<const ConnectionDescription*> links_of(const NetworkDescription& net, int junction) {
    std::vector<const ConnectionDescription*> links;
    for (const int lane : net.junctions[junction].incoming_lanes) {
        for (const ConnectionDescription& c : net.connections)
            if (c.from_lane == lane) links.push_back(&c);
    }
    return links;
}

bool bit(const std::string& row, std::size_t link) { return row[row.size() - 1 - link] == '1'; }

// "in1 l": row of the request table.
std::size_t row_of(const NetworkDescription& net, const std::string& from, char direction) {
    const auto links = links_of(net, 0);
    for (std::size_t i = 0; i < links.size(); ++i) {
        if (net.edges[net.lanes[links[i]->from_lane].edge].id == from && links[i]->direction == direction) return i;
    }
    FAIL("no such link: " << from << ' ' << direction);
    return 0;
}

bool yields(const NetworkDescription& net, const std::string& from, char direction, const std::string& other,
            char other_direction) {
    const std::size_t row = row_of(net, from, direction);
    return bit(net.junctions[0].requests[row].response, row_of(net, other, other_direction));
}

void check_tables(const NetworkDescription& net) {
    for (std::size_t j = 0; j < net.junctions.size(); ++j) {
        const JunctionDescription& junction = net.junctions[j];
        const std::size_t n = junction.requests.size();
        if (junction.type == JunctionType::internal) continue;
        INFO(junction.id);
        REQUIRE(links_of(net, static_cast<int>(j)).size() == n);
        REQUIRE(junction.internal_lanes.size() == n);
        for (std::size_t a = 0; a < n; ++a) {
            for (std::size_t b = 0; b < n; ++b) {
                const bool foes = bit(junction.requests[a].foes, b);
                CHECK(foes == bit(junction.requests[b].foes, a));
                const bool first = bit(junction.requests[a].response, b),
                           second = bit(junction.requests[b].response, a);
                CHECK(foes == (first != second));  // one of two foes gives way
            }
        }
    }
}

void check_signals(const NetworkDescription& net) {
    for (std::size_t j = 0; j < net.junctions.size(); ++j) {
        const JunctionDescription& junction = net.junctions[j];
        if (junction.type != JunctionType::traffic_light) continue;
        const auto& phases = net.signals[links_of(net, static_cast<int>(j))[0]->signal].programs[0].phases;
        std::set<std::size_t> served;
        for (std::size_t p = 0; p < phases.size(); ++p) {
            const std::string &state = phases[p].state, &next = phases[(p + 1) % phases.size()].state;
            REQUIRE(state.size() == junction.requests.size());
            for (std::size_t a = 0; a < state.size(); ++a) {
                const bool green = state[a] == 'G' || state[a] == 'g';
                if (green) served.insert(a);
                if (green) CHECK(next[a] == 'y');
                if (state[a] != 'G') continue;
                for (std::size_t b = 0; b < state.size(); ++b)
                    CHECK_FALSE((state[b] == 'G' && bit(junction.requests[a].foes, b)));
            }
        }
        CHECK(served.size() == junction.requests.size());
    }
}

}  // namespace

TEST_CASE("what is generated is read back as it was") {
    const TemporaryFolder folder;
    GridOptions grid;
    grid.size = 3;
    grid.signals = true;
    grid.demand.rate = 300;
    CorridorOptions corridor;
    corridor.demand.rate = 300;
    for (const GeneratedScenario& made : {generate_grid(grid), generate_corridor(corridor), generate_ring({})}) {
        const std::string first = folder.path() + "/a.net.xml", packed = first + ".gz";
        UnsupportedReport report;
        write_sumo_network(made.network, first);
        NetworkDescription net = read_sumo_network(first, report);
        write_sumo_network(net, packed);
        CHECK(content(packed).substr(0, 2) == "\x1f\x8b");
        write_sumo_network(net, first);  // junctions now in the order in which edges name them
        write_sumo_network(read_sumo_network(packed, report), first + "2");
        CHECK(content(first) == content(first + "2"));
        REQUIRE(net.lanes.size() == made.network.lanes.size());
        for (std::size_t i = 0; i < net.lanes.size(); ++i) {
            CHECK(net.lanes[i].length == made.network.lanes[i].length);
            CHECK(net.lanes[i].speed == made.network.lanes[i].speed);
            CHECK(net.lanes[i].shape[0].x == made.network.lanes[i].shape[0].x);
        }
        CHECK(net.connections.size() == made.network.connections.size());

        const std::string routes = folder.path() + "/a.rou.xml";
        write_sumo_demand(made.demand, made.network, routes);
        DemandDescription demand;
        SumoDemandReader(net, demand, report).read(routes);
        CHECK(report.empty());
        REQUIRE(demand.vehicles.size() == made.demand.vehicles.size());
        for (std::size_t i = 0; i < demand.vehicles.size(); ++i) {
            const VehicleDescription &a = made.demand.vehicles[i], &b = demand.vehicles[i];
            CHECK(a.id == b.id);
            CHECK(a.depart == b.depart);
            CHECK(a.depart_pos_value == b.depart_pos_value);
            CHECK(made.demand.routes[a.route].edges == demand.routes[b.route].edges);
        }
        CHECK(demand.types[0].accel == made.demand.types[0].accel);
        CHECK(demand.types[0].speed_factor.deviation == made.demand.types[0].speed_factor.deviation);
    }
}

TEST_CASE("the network writer leaves nothing out") {
    const TemporaryFolder folder;
    UnsupportedReport report;
    const NetworkDescription net = read_sumo_network(folder.write("net.xml", small_net), report);
    const std::string first = folder.path() + "/a.net.xml";
    write_sumo_network(net, first);
    const NetworkDescription again = read_sumo_network(first, report);
    write_sumo_network(again, first + "2");
    CHECK(content(first) == content(first + "2"));
    CHECK(again.lanes[1].allowed == net.lanes[1].allowed);
    CHECK(again.lanes[1].stop_offset_classes == net.lanes[1].stop_offset_classes);
    CHECK(again.lanes[2].change_right == net.lanes[2].change_right);
    CHECK(again.types[0].speed_of_class == net.types[0].speed_of_class);
    CHECK(again.edges[1].name == net.edges[1].name);
    CHECK(again.edges[1].roundabout);
    CHECK(again.signals[0].programs[0].phases[1].next == net.signals[0].programs[0].phases[1].next);
    CHECK(again.signals[0].programs[1].parameters == net.signals[0].programs[1].parameters);
    CHECK(again.connections[0].visibility == 9);
    CHECK_FALSE(again.connections[0].keep_clear);
    CHECK(report.empty());
}

TEST_CASE("at junctions of any form one of two foes gives way") {
    const std::vector<std::vector<std::pair<double, int>>> forms = {{{0, 1}, {90, 1}, {180, 1}, {270, 1}},
                                                                    {{0, 2}, {90, 1}, {180, 2}, {270, 1}},
                                                                    {{0, 2}, {180, 2}, {270, 1}},
                                                                    {{10, 1}, {130, 1}, {250, 1}},
                                                                    {{0, 1}, {60, 2}, {130, 1}, {200, 2}, {290, 1}},
                                                                    {{0, 1}, {45, 1}},
                                                                    {{0, 3}, {72, 2}, {144, 1}, {216, 2}, {288, 3}}};
    for (const auto& arms : forms) {
        for (const JunctionType type :
             {JunctionType::priority, JunctionType::right_before_left, JunctionType::traffic_light}) {
            for (const int lanes : {1, 2, 3}) {
                const NetworkDescription net = generate_network(star(arms, type, lanes));
                check_tables(net);
                check_signals(net);
            }
        }
    }
}

TEST_CASE("the rules of the road") {
    // end1 east, end2 north, end3 west, end4 south; end1 and end3 have priority.
    const NetworkDescription net =
        generate_network(star({{0, 2}, {90, 1}, {180, 2}, {270, 1}}, JunctionType::priority));
    CHECK(yields(net, "in2", 's', "in1", 's'));
    CHECK(yields(net, "in2", 's', "in3", 's'));
    CHECK(yields(net, "in2", 'r', "in1", 's'));
    CHECK(yields(net, "in1", 'l', "in3", 's'));
    CHECK(yields(net, "in1", 'l', "in3", 'r'));
    CHECK_FALSE(yields(net, "in1", 'l', "in4", 's'));
    CHECK(yields(net, "in2", 'l', "in4", 's'));
    CHECK(links_of(net, 0)[row_of(net, "in1", 's')]->state == 'M');
    CHECK(links_of(net, 0)[row_of(net, "in2", 's')]->state == 'm');

    const NetworkDescription equal =
        generate_network(star({{0, 1}, {90, 1}, {180, 1}, {270, 1}}, JunctionType::right_before_left));
    CHECK(yields(equal, "in4", 's', "in1", 's'));  // northward, from the east: from the right
    CHECK(yields(equal, "in1", 's', "in2", 's'));
    CHECK(yields(equal, "in2", 's', "in3", 's'));
    CHECK(yields(equal, "in3", 's', "in4", 's'));
    CHECK(links_of(equal, 0)[0]->state == '=');
}

TEST_CASE("a left turn waits inside the junction for oncoming traffic") {
    const NetworkDescription net =
        generate_network(star({{0, 1}, {90, 1}, {180, 1}, {270, 1}}, JunctionType::traffic_light, 2));
    const std::size_t left = row_of(net, "in1", 'l'), oncoming = row_of(net, "in3", 's');
    const JunctionDescription& junction = net.junctions[0];
    CHECK(junction.requests[left].cont);
    CHECK_FALSE(junction.requests[oncoming].cont);
    const LaneDescription& second = net.lanes[junction.internal_lanes[left]];
    const auto place = std::ranges::find(net.junctions, second.id, &JunctionDescription::id);
    REQUIRE(place != net.junctions.end());
    CHECK(place->type == JunctionType::internal);
    CHECK(net.lanes[place->incoming_lanes[0]].shape.back().x == second.shape[0].x);
    const auto names = [&](const std::vector<int>& lanes, int lane) { return std::ranges::count(lanes, lane) == 1; };
    CHECK(names(place->incoming_lanes, links_of(net, 0)[oncoming]->from_lane));
    CHECK(names(place->internal_lanes, junction.internal_lanes[oncoming]));
    CHECK(net.signals[0].programs[0].phases[0].state.size() == junction.requests.size());
}

TEST_CASE("a ring has the length asked for and evenly spaced vehicles") {
    RingOptions options;
    options.demand.end = 600;
    const GeneratedScenario ring = generate_ring(options);
    double length = 0;
    for (const LaneDescription& lane : ring.network.lanes) length += static_cast<double>(lane.length);
    CHECK(length == Approx(230).margin(0.01));
    CHECK(ring.demand.vehicles.size() == 22);
    std::vector<double> places;
    for (const VehicleDescription& v : ring.demand.vehicles)
        places.push_back(57.5 * v.route + static_cast<double>(v.depart_pos_value));
    for (std::size_t i = 1; i < places.size(); ++i) CHECK(places[i] - places[i - 1] == Approx(230 / 22.0).margin(0.12));
    const std::vector<int>& laps = ring.demand.routes[1].edges;
    CHECK(laps[0] == 1);
    CHECK(static_cast<double>(laps.size()) * 57.5 > 600 * 2 * 13.89);
}

TEST_CASE("routes lead over connections and depend on the seed alone") {
    GridOptions options;
    options.size = 4;
    options.demand = {1000, 1800, 7};
    const GeneratedScenario made = generate_grid(options), same = generate_grid(options);
    CHECK(made.demand.vehicles.size() == 500);
    std::set<std::pair<int, int>> joined;
    for (const ConnectionDescription& c : made.network.connections)
        joined.insert({made.network.lanes[c.from_lane].edge, made.network.lanes[c.to_lane].edge});
    bool connected = true, equal = true;
    for (std::size_t r = 0; r < made.demand.routes.size(); ++r) {
        const std::vector<int>& edges = made.demand.routes[r].edges;
        for (std::size_t i = 1; i < edges.size(); ++i)
            connected = connected && joined.contains({edges[i - 1], edges[i]});
        equal = equal && edges == same.demand.routes[r].edges;
    }
    CHECK(connected);
    CHECK(equal);
    options.demand.seed = 8;
    const GeneratedScenario other = generate_grid(options);
    CHECK(other.demand.vehicles[0].depart != made.demand.vehicles[0].depart);
}
