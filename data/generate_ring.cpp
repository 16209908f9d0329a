#include <algorithm>
#include <cmath>
#include <numbers>

#include "data/generate_scenario.hpp"
#include "data/generated_demand.hpp"
#include "data/road_plan.hpp"

namespace jamiton {

namespace {

constexpr int quarters = 4;

// One way, to the left; the lanes lie outside of the line that is drawn.
RoadPlan plan_ring(const RingOptions& options) {
    RoadPlan plan;
    plan.corner_radius = 0;
    const double radius = options.length / (2 * std::numbers::pi) - 0.5 * options.lanes * plan.lane_width;
    const auto at = [&](double turns) {
        const double angle = 2 * std::numbers::pi * turns;
        return Position{radius * std::cos(angle), radius * std::sin(angle)};
    };
    constexpr int pieces = 12;
    for (int i = 0; i < quarters; ++i) {
        plan.junctions.push_back({"joint" + std::to_string(i), at(i / 4.0)});
        PlannedRoad road;
        road.id = "quarter" + std::to_string(i);
        road.from = i;
        road.to = (i + 1) % quarters;
        road.lanes = options.lanes;
        road.speed = options.speed;
        for (int k = 1; k < pieces; ++k) road.bends.push_back(at((i + static_cast<double>(k) / pieces) / quarters));
        plan.roads.push_back(std::move(road));
    }
    return plan;
}

// As many laps as the fastest driver makes until the end.
RouteDescription laps_from(int quarter, const RingOptions& options) {
    constexpr double fastest = 2;  // times the speed limit
    RouteDescription route;
    route.id = "laps" + std::to_string(quarter);
    const double laps = std::ceil(fastest * options.speed * options.demand.end / options.length) + 1;
    for (int i = 0; i < quarters * laps; ++i) route.edges.push_back((quarter + i) % quarters);
    return route;
}

// Whatever the drawing measures, roads and joints make up the length asked for.
void fit_length(NetworkDescription& network, const RingOptions& options) {
    for (int i = 0; i < quarters; ++i) {
        const EdgeDescription& edge = network.edges[i];
        const auto joint = std::ranges::find(network.connections, edge.first_lane, &ConnectionDescription::from_lane);
        const double inside = static_cast<double>(network.lanes[joint->via_lane].length);
        for (int lane = edge.first_lane; lane < edge.first_lane + edge.lane_count; ++lane)
            network.lanes[lane].length = static_cast<float>(std::round(25 * options.length - 100 * inside) / 100);
    }
}

VehicleDescription vehicle_on_ring(int number, double road_length, const RingOptions& options) {
    const double piece = options.length / quarters, place = (number + 0.5) * options.length / options.vehicles;
    VehicleDescription vehicle;
    vehicle.id = std::to_string(number);
    vehicle.type = 0;
    vehicle.route = static_cast<int>(place / piece);
    vehicle.depart_lane = DepartLane::index;
    vehicle.depart_lane_index = number % options.lanes;
    vehicle.depart_pos = DepartPos::position;
    const double position = std::min(place - vehicle.route * piece, road_length);
    vehicle.depart_pos_value = static_cast<float>(std::floor(100 * position) / 100);
    return vehicle;
}

}  // namespace

int most_vehicles(const RingOptions& options) {
    const VehicleType car = generated_car();
    return static_cast<int>(options.length * options.lanes / static_cast<double>(car.length + car.min_gap));
}

GeneratedScenario generate_ring(const RingOptions& options) {
    GeneratedScenario scenario;
    scenario.network = generate_network(plan_ring(options));
    fit_length(scenario.network, options);
    scenario.demand.types = {generated_car()};
    for (int quarter = 0; quarter < quarters; ++quarter) scenario.demand.routes.push_back(laps_from(quarter, options));
    const double road_length = static_cast<double>(scenario.network.lanes[0].length);
    for (int i = 0; i < options.vehicles; ++i)
        scenario.demand.vehicles.push_back(vehicle_on_ring(i, road_length, options));
    return scenario;
}

}  // namespace jamiton
