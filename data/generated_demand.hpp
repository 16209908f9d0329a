// What generators of demand share.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "data/generate_scenario.hpp"

namespace jamiton {

// Random numbers for one vehicle.
class Dice {
  public:
    Dice(std::uint64_t seed, std::size_t vehicle) : seed_(seed), vehicle_(static_cast<std::uint32_t>(vehicle)) {}
    double uniform();  // in [0, 1)
    int below(int n);  // 0 to n - 1
    std::size_t weighted(const std::vector<double>& weights);

  private:
    std::uint64_t seed_;
    std::uint32_t vehicle_, draws_ = 0;
};

VehicleType generated_car();

// A vehicle with this route of its own.
void add_generated_vehicle(DemandDescription& demand, double depart, std::vector<int> edges);

// Cars that come as they like (a Poisson process, given how many come), each on a route (edges) that is drawn with its
// own dice.
DemandDescription random_demand(const EntryOptions& options, const std::function<std::vector<int>(Dice&)>& route);

}  // namespace jamiton
