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

// One interval over all edges, or over all lanes, internal ones too: all arrays have one entry per edge or lane. The
// meaning is SUMO's: a vehicle is on a lane while any part of its body is.
struct EdgeInterval {
    double begin = 0, end = 0;                                      // s
    std::vector<std::uint32_t> entered, left;                       // vehicles on their way, by their fronts
    std::vector<std::uint32_t> departed, arrived;                   // vehicles whose trip began or ended there
    std::vector<std::uint32_t> lane_changed_from, lane_changed_to;  // lane changes
    std::vector<float> sampled_seconds;                             // s summed over vehicles
    std::vector<float> mean_speed, speed_relative;                  // m/s, and by the limit (NaN when empty)
    std::vector<float> density, lane_density, occupancy;            // veh/km, veh/km per lane, percent
    std::vector<float> waiting_time, time_loss;                     // s summed over vehicles
    // s for the length at the mean speed while the front is there, and for the length and that of the vehicle at the
    // mean speed (NaN when empty)
    std::vector<float> travel_time, overlap_travel_time;
};

// What detectors saw in an interval, in SUMO's columns (data/results_schema.hpp describes them). -1: nothing to take a
// mean of.
struct LoopRow {
    std::int32_t detector = 0;  // row of the detectors of this kind
    double begin = 0, end = 0;  // s
    std::int64_t contributed = 0, entered = 0;
    double flow = 0, occupancy = 0;                            // veh/h, percent
    double speed = -1, harmonic_mean_speed = -1, length = -1;  // m/s, m/s, m
};

struct AreaRow {
    std::int32_t detector = 0;
    double begin = 0, end = 0, sampled_seconds = 0;  // s
    std::int64_t entered = 0, left = 0, seen = 0;
    double mean_speed = -1, mean_time_loss = -1, mean_occupancy = 0, max_occupancy = 0;  // m/s, s, percent
    double mean_max_jam_vehicles = 0, mean_max_jam_meters = 0;
    std::int64_t max_jam_vehicles = 0;
    double max_jam_meters = 0;
    std::int64_t jam_vehicles_sum = 0;
    double jam_meters_sum = 0;
    double mean_halt = 0, max_halt = 0, halt_sum = 0;                             // s, of halts that ended
    double mean_interval_halt = 0, max_interval_halt = 0, interval_halt_sum = 0;  // s, of all halts, in the interval
    std::int64_t started_halts = 0;
    double mean_vehicles = 0;
    std::int64_t max_vehicles = 0;
};

struct GatesRow {
    std::int32_t detector = 0;
    double begin = 0, end = 0;
    // Of vehicles that left: s between the fronts at the gates, and until the back had left.
    double travel_time = -1, overlap_travel_time = -1, speed = -1, halts = -1, time_loss = -1;
    std::int64_t vehicles = 0;
    // Of those inside at the end, since they entered and since the interval began.
    double speed_within = -1, halts_within = -1, duration_within = -1;
    std::int64_t vehicles_within = 0;
    double interval_speed_within = -1, interval_halts_within = -1, interval_duration_within = -1, time_loss_within = -1;
};

struct DetectorRows {
    std::vector<LoopRow> loops;
    std::vector<AreaRow> areas;
    std::vector<GatesRow> gates;
};

struct SignalSwitch {
    double time = 0;  // s
    std::int32_t signal = 0, phase = 0;
    std::string program, state;
};

// unrecorded: arrived, but it carries nothing that tells of its trip (SUMO's tripinfo device).
enum class TripStatus : std::uint8_t { not_due, waiting, running, arrived, removed, unrecorded };
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
