// What a run shows of itself after a step: plain host arrays for writers, viewers and tests. No file format here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace jamiton {

// Counts and means over the whole network after one step.
struct StepSummary {
    double time = 0;  // s, the step's label: state after it
    std::int64_t loaded = 0, not_due = 0, waiting = 0, running = 0, inserted = 0, arrived = 0, removed = 0;
    std::int64_t teleports = 0, collisions = 0;  // so far
    double mean_speed = 0;                       // m/s over running vehicles, NaN without any
    std::int64_t halted = 0;                     // running vehicles at 0.1 m/s or less
    std::uint64_t state_hash = 0;                // of the vehicles on the road, in this and all earlier steps
};

// Vehicles on the road after one step, ordered by vehicle number: all arrays have the same size.
struct TrajectoryRows {
    double time = 0;                     // s
    std::vector<std::uint32_t> vehicle;  // row of /trips
    std::vector<std::uint32_t> lane;
    std::vector<float> position, speed;  // m from lane start to the front; m/s
};

// One interval over all edges (internal ones too): all arrays have one entry per edge.
struct EdgeInterval {
    double begin = 0, end = 0;                          // s
    std::vector<std::uint32_t> entered, left;           // vehicles (insertions count as entered, arrivals as left)
    std::vector<float> mean_speed, density, occupancy;  // m/s (NaN when empty), veh/km, percent
    std::vector<float> waiting_time,
        travel_time;  // s summed over vehicles, s estimated as length / mean speed (NaN when empty)
};

struct SignalSwitch {
    double time = 0;  // s
    std::int32_t signal = 0, phase = 0;
    std::string program, state;
};

enum class TripStatus : std::uint8_t { not_due, waiting, running, arrived, removed };
enum class RemovalReason : std::uint8_t { none, no_route, teleported_out, collision, max_depart_delay, vaporized, end };

// One row per vehicle in order of planned departure, then file. Times in s, NaN where not yet; lanes -1 where not yet.
struct TripTable {
    double time = 0;  // s, label of the step after which this was so
    std::vector<double> depart_planned, depart, arrival;
    std::vector<float> duration, route_length, time_loss, waiting_time, stop_time, depart_delay;
    std::vector<std::int32_t> waiting_count, depart_lane, arrival_lane, reroutes, teleports;
    std::vector<float> depart_pos, depart_speed, arrival_pos, arrival_speed, speed_factor;
    std::vector<TripStatus> status;
    std::vector<RemovalReason> reason;
};

// What one phase of the step cost over the run.
struct PhaseCost {
    std::string name;
    double seconds = 0;
    std::uint64_t bytes = 0, launches = 0;  // of vehicle arrays read and written; loops started
};

}  // namespace jamiton
