#include "data/generated_demand.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/core/random.hpp"

namespace jamiton {

double Dice::uniform() {
    constexpr std::uint32_t generator = 0x67656e;  // apart from all that a simulation draws
    return uniform_double(philox(seed_, vehicle_, draws_++, generator).word[0]);
}

int Dice::below(int n) { return static_cast<int>(uniform() * n); }

std::size_t Dice::weighted(const std::vector<double>& weights) {
    double left = uniform() * std::accumulate(weights.begin(), weights.end(), 0.0);
    std::size_t chosen = 0;
    while (chosen + 1 < weights.size() && left >= weights[chosen]) left -= weights[chosen++];
    return chosen;
}

VehicleType generated_car() {
    VehicleType car = default_vehicle_type(VehicleClass::passenger);
    car.id = "car";
    return car;
}

void add_generated_vehicle(DemandDescription& demand, double depart, std::vector<int> edges) {
    RouteDescription route;
    route.edges = std::move(edges);
    VehicleDescription vehicle;
    vehicle.id = std::to_string(demand.vehicles.size());
    vehicle.type = 0;
    vehicle.route = static_cast<int>(demand.routes.size());
    vehicle.depart = depart;
    vehicle.depart_lane = DepartLane::best;
    vehicle.depart_speed = DepartSpeed::max;
    demand.routes.push_back(std::move(route));
    demand.vehicles.push_back(std::move(vehicle));
}

namespace {

// Ascending.
std::vector<double> random_departures(const EntryOptions& options) {
    const auto count = static_cast<std::size_t>(std::llround(options.rate * options.end / 3600));
    std::vector<double> departures;
    for (std::size_t i = 0; i < count; ++i) {
        const double time = options.end * Dice(options.seed ^ 0x646570617274, i).uniform();
        departures.push_back(std::floor(100 * time) / 100);  // as it is written
    }
    std::ranges::sort(departures);
    return departures;
}

}  // namespace

DemandDescription random_demand(const EntryOptions& options, const std::function<std::vector<int>(Dice&)>& route) {
    DemandDescription demand;
    demand.types = {generated_car()};
    const std::vector<double> departures = random_departures(options);
    for (std::size_t i = 0; i < departures.size(); ++i) {
        Dice dice(options.seed, i);
        add_generated_vehicle(demand, departures[i], route(dice));
    }
    return demand;
}

}  // namespace jamiton
