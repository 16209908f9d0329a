// How trips without a route find one (SUMO's options device.rerouting.* and weights.*).
#pragma once

#include <set>
#include <string>

namespace jamiton {

struct RoutingOptions {
    double minor_penalty = 1.5;      // s per connection without priority
    double adaptation_interval = 1;  // s between two measurements of the travel times; 0: free flow all the time
    int adaptation_steps = 180;      // measurements that are averaged, 0: by adaptation_weight
    double adaptation_weight = 0;    // of the travel time before against the one just measured
    double pre_period = 60;          // s after which one that still waits for entry looks again, 0: never

    // Vehicles that are routed again, their given route notwithstanding: at departure, and each period under way. Trips
    // without a route are.
    double probability = 0;
    std::set<std::string> vehicles;  // by id
    double period = 0;               // s, 0: at departure only
    bool synchronize = false;        // at multiples of the period

    bool measures() const { return adaptation_interval > 0; }
};

constexpr int most_adaptation_steps = 65535;

}  // namespace jamiton
