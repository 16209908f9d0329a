// Fastest routes on the edges that a vehicle's class may use, in free flow.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "engine/network.hpp"

namespace jamiton {

// Per connection of the engine: the classes that may use it, which its two lanes and the lanes between must permit.
std::vector<Permissions> connection_permissions(const NetworkDescription& names, const Network& network);

// How the edges hang together for one class, with free-flow times at speed factor 1.
struct ClassGraph {
    struct Way {  // 40 bytes
        int to = -1;
        float length = 0, minor_length = 0;  // m inside the junction; minor: on lanes that cost a penalty
        double time = 0, minor_time = 0;     // s inside the junction
        double penalty = 0;                  // s
    };
    std::vector<int> begin;  // ways of edge e: ways[begin[e]] up to ways[begin[e + 1]]
    std::vector<Way> ways;
    std::vector<double> length, time;  // per edge: m, s

    bool connects(int from, int to) const;
};

struct Driving {
    VehicleClass vehicle_class = VehicleClass::passenger;
    float speed_factor = 1;
    float max_speed = 55.556f;  // m/s
};

class Router {
  public:
    // minor_penalty: s for each connection that has to give way and has no signal.
    Router(const Network& network, const std::vector<Permissions>& permitted, double minor_penalty);

    const ClassGraph& graph(VehicleClass c);

    // The fastest way over these edges in this order, first and last included; of equal ones always the same.
    // Empty when there is none, then `broken_leg` tells from which of the edges on.
    const std::vector<int>& route(std::span<const int> via, const Driving& driving);
    int broken_leg() const { return broken_leg_; }

  private:
    bool search(int from, int to, const ClassGraph& graph, const Driving& driving);
    void push(double cost, int edge);
    int pop();

    const Network& network_;
    const std::vector<Permissions>& permitted_;
    double minor_penalty_;
    std::vector<std::unique_ptr<ClassGraph>> graphs_;

    struct Waiting {
        double cost;
        int edge;
    };
    std::vector<Waiting> heap_;
    std::vector<double> cost_;  // valid where reached_ has the number of this search
    std::vector<int> previous_, reached_, settled_;
    int search_ = 0;
    int broken_leg_ = 0;
    std::vector<int> found_;
    std::map<std::vector<std::uint32_t>, std::vector<int>> known_;  // routes of equal queries
};

}  // namespace jamiton
