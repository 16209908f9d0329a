// A network with traffic on it, by hand or generated, and its simulation.
#pragma once

#include <string>
#include <vector>

#include "engine/demand.hpp"
#include "engine/simulation.hpp"

namespace jamiton {

struct Scene {
    NetworkDescription network;
    DemandDescription demand;
    SimulationOptions options{.threads = 1};
    double end = 3600;  // s, of flows without one
    RoutingOptions routing = {};

    // Drivers all alike and without imperfection: sigma 0, no spread of speeds.
    static VehicleType exact_car() {
        VehicleType type = default_vehicle_type(VehicleClass::passenger);
        type.id = "exact";
        type.sigma = 0;
        type.speed_factor.deviation = 0;
        return type;
    }
    static VehicleType default_car() {
        VehicleType type = default_vehicle_type(VehicleClass::passenger);
        type.id = "default";
        return type;
    }

    int add_type(const VehicleType& type) {
        demand.types.push_back(type);
        return static_cast<int>(demand.types.size()) - 1;
    }
    int add_route(const std::vector<int>& edges) {
        RouteDescription route;
        route.edges = edges;
        demand.routes.push_back(route);
        return static_cast<int>(demand.routes.size()) - 1;
    }
    // The reference holds until the next vehicle is added.
    VehicleDescription& add_vehicle(double depart, int type = 0, int route = 0) {
        VehicleDescription v;
        v.id = "v" + std::to_string(demand.vehicles.size());
        v.depart = depart;
        v.type = type;
        v.route = route;
        demand.vehicles.push_back(v);
        return demand.vehicles.back();
    }
    // Puts the connections that leave this edge under a signal of their own: link n is the n-th of them.
    void add_signal(int edge, const std::vector<std::pair<double, std::string>>& phases) {
        SignalDescription signal;
        signal.id = network.edges[static_cast<std::size_t>(edge)].id;
        ProgramDescription program;
        program.id = "0";
        for (const auto& [duration, state] : phases) {
            PhaseDescription phase;
            phase.duration = duration;
            phase.state = state;
            program.phases.push_back(phase);
        }
        signal.programs.push_back(program);
        int link = 0;
        for (ConnectionDescription& c : network.connections) {
            if (network.lanes[static_cast<std::size_t>(c.from_lane)].edge != edge) continue;
            c.signal = static_cast<int>(network.signals.size());
            c.link_index = link++;
        }
        network.signals.push_back(signal);
    }

    Simulation simulate() const { return simulate(options); }
    Simulation simulate(const SimulationOptions& o) const {
        Network net = build_network(network);
        Demand d = build_demand(demand, network, net, {.seed = o.seed, .begin = o.begin, .end = end, .step = o.step, .routing = routing});
        return Simulation(network, std::move(net), std::move(d), o);
    }
};

}  // namespace jamiton
