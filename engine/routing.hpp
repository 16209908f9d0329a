// Fastest routes on the edges that a vehicle's class may use, in free flow or by travel times measured in the run.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/network.hpp"
#include "engine/vehicle_type.hpp"
#include "engine/zone.hpp"

namespace jamiton {

// Per connection of the engine: the classes that may use it, which its two lanes and the lanes between must permit.
std::vector<Permissions> connection_permissions(const NetworkDescription& names, const Network& network);

// How the edges hang together for one class, with free-flow times at speed factor 1. Zones are edges of no length
// behind those of the network.
struct ClassGraph {
    // An edge inside a junction, with the penalty for giving way there.
    struct Inside {
        int edge = -1;
        float length = 0;    // m
        double time = 0;     // s
        double penalty = 0;  // s; more than 0: a driver may be faster than the limit there, as in SUMO
    };
    struct Way {
        int to = -1;
        int inside_begin = 0;  // of this way: inside[inside_begin] up to that of the next way
    };
    std::vector<int> begin;  // ways of edge e: ways[begin[e]] up to ways[begin[e + 1]]
    std::vector<Way> ways;   // and one more
    std::vector<Inside> inside;
    std::vector<double> length, time;  // per edge: m, s
    int edge_count = 0;                // of the network

    bool connects(int from, int to) const;
};

struct Driving {
    VehicleClass vehicle_class = VehicleClass::passenger;
    float speed_factor = 1;
    float max_speed = 55.556f;  // m/s
};

Driving driving_of(const VehicleType& type, float speed_factor);

// Made as they are asked for, not by several threads at once.
class ClassGraphs {
  public:
    // minor_penalty: s for each connection that has to give way and has no signal.
    ClassGraphs(const Network& network, const std::vector<Permissions>& permitted, double minor_penalty,
                std::vector<Zone> zones = {})
        : network_(network),
          permitted_(permitted),
          zones_(std::move(zones)),
          minor_penalty_(minor_penalty),
          graphs_(static_cast<std::size_t>(VehicleClass::count)) {}

    const ClassGraph& of(VehicleClass c);
    // Those made are no longer right: the permissions are others.
    void forget() {
        for (std::unique_ptr<ClassGraph>& graph : graphs_) graph.reset();
    }

  private:
    void add_ways(ClassGraph& graph, const Edge& edge, VehicleClass c) const;
    void add_sources(ClassGraph& graph, const Zone& zone, VehicleClass c) const;
    std::vector<std::vector<int>> zones_at_edges() const;
    static void add_row(ClassGraph& graph, double length, double time);

    const Network& network_;
    const std::vector<Permissions>& permitted_;
    std::vector<Zone> zones_;
    double minor_penalty_;
    std::vector<std::unique_ptr<ClassGraph>> graphs_;
};

struct TravelTime;  // of one driver

// Searches of one thread.
class Router {
  public:
    // The fastest way over these edges in this order, first and last included, but zones left out; of equal ones always
    // the same.
    // Empty when there is none, then `broken_leg` tells from which of the edges on. measured: s per edge that it takes
    // in the present traffic, 0 as in free flow; nullptr: free flow everywhere. closed: edges that it leaves out.
    const std::vector<int>& route(const ClassGraph& graph, std::span<const int> via, const Driving& driving,
                                  const float* measured = nullptr, std::span<const int> closed = {});
    int broken_leg() const { return broken_leg_; }

  private:
    bool search(int from, int to, const ClassGraph& graph, const TravelTime& time, std::span<const int> closed);
    void push(double cost, int edge);
    int pop();

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
};

}  // namespace jamiton
