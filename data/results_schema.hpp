// What a results file holds: every dataset with its unit and description, named once, for writer and readers.
#pragma once

#include <array>
#include <span>
#include <type_traits>

#include "data/chunked_dataset.hpp"
#include "data/results.hpp"

namespace jamiton::schema {

inline constexpr const char* format = "jamiton-results";
inline constexpr std::int64_t version = 1;

inline constexpr std::array trip_status{"not_due", "waiting", "running", "arrived", "removed", "unrecorded"};
inline constexpr std::array removal_reason{"none",      "no_route", "teleported_out", "collision", "max_depart_delay",
                                           "vaporized", "end"};
inline constexpr std::array edge_function{"normal", "internal", "connector", "crossing", "walking_area"};

// The columns of each table: name, unit, description, member. A new column is one line here.
template <class F>
void for_each_trip_column(F&& column) {
    using T = TripTable;
    column("depart_planned", "s", "time at which the vehicle is due", &T::depart_planned);
    column("depart", "s", "time at which it entered the network, NaN where not yet", &T::depart);
    column("arrival", "s", "time at which it arrived, NaN where not yet", &T::arrival);
    column("duration", "s", "time from departure to arrival", &T::duration);
    column("route_length", "m", "distance driven", &T::route_length);
    column("time_loss", "s", "time lost by driving slower than desired", &T::time_loss);
    column("waiting_time", "s", "time at 0.1 m/s or less, planned stops and the step of entry apart", &T::waiting_time);
    column("waiting_count", "1", "number of times it came to wait", &T::waiting_count);
    column("stop_time", "s", "time at planned stops", &T::stop_time);
    column("depart_delay", "s", "time from the planned departure to the departure", &T::depart_delay);
    column("depart_lane", "1", "row of /network/lanes, -1 where not yet", &T::depart_lane);
    column("depart_pos", "m", "front from the lane's start at departure", &T::depart_pos);
    column("depart_speed", "m/s", "speed at departure", &T::depart_speed);
    column("arrival_lane", "1", "row of /network/lanes, -1 where not yet", &T::arrival_lane);
    column("arrival_pos", "m", "front from the lane's start at arrival", &T::arrival_pos);
    column("arrival_speed", "m/s", "speed at arrival", &T::arrival_speed);
    column("speed_factor", "1", "the driver's desired speed by the speed limit", &T::speed_factor);
    column("reroutes", "1", "number of times the route changed", &T::reroutes);
    column("teleports", "1", "number of times it was moved on out of a jam", &T::teleports);
    column("status", "1", "where the vehicle is in its life", &T::status);
    column("reason", "1", "why it was removed", &T::reason);
}

template <class F>
void for_each_trajectory_column(F&& column) {
    using T = TrajectoryRows;
    column("vehicle", "1", "row of /trips", &T::vehicle);
    column("lane", "1", "row of /network/lanes", &T::lane);
    column("position", "m", "front from the lane's start", &T::position);
    column("speed", "m/s", "speed", &T::speed);
}

template <class F>
void for_each_edge_column(F&& column) {
    using T = EdgeInterval;
    column("entered", "1", "vehicles that drove onto it, departures apart", &T::entered);
    column("left", "1", "vehicles that drove on from it, arrivals apart", &T::left);
    column("departed", "1", "vehicles that entered the network there", &T::departed);
    column("arrived", "1", "vehicles that arrived there", &T::arrived);
    column("lane_changed_from", "1", "lane changes that began there", &T::lane_changed_from);
    column("lane_changed_to", "1", "lane changes that ended there", &T::lane_changed_to);
    column("sampled_seconds", "s", "time with any part of a vehicle on it, summed over vehicles", &T::sampled_seconds);
    column("mean_speed", "m/s", "mean speed over vehicles and time, NaN when empty", &T::mean_speed);
    column("speed_relative", "1", "mean speed by the speed limit, NaN when empty", &T::speed_relative);
    column("density", "1/km", "mean number of vehicles per km", &T::density);
    column("lane_density", "1/km", "mean number of vehicles per km of a lane", &T::lane_density);
    column("occupancy", "%", "share of the lanes' length under vehicles", &T::occupancy);
    column("waiting_time", "s", "time at 0.1 m/s or less, summed over vehicles", &T::waiting_time);
    column("time_loss", "s", "time lost by driving slower than desired, summed over vehicles", &T::time_loss);
    column("travel_time", "s", "length by mean speed of those whose front is there, NaN when empty", &T::travel_time);
    column("overlap_travel_time", "s", "length and that of a vehicle by mean speed, NaN when empty",
           &T::overlap_travel_time);
}

template <class F>
void for_each_loop_column(F&& column) {
    using T = LoopRow;
    column("detector", "1", "row of id", &T::detector);
    column("begin", "s", "begin of the interval", &T::begin);
    column("end", "s", "end of the interval", &T::end);
    column("contributed", "1", "vehicles that passed over the loop", &T::contributed);
    column("flow", "1/h", "those vehicles per hour", &T::flow);
    column("occupancy", "%", "share of the time with a vehicle over the loop", &T::occupancy);
    column("speed", "m/s", "mean speed of those vehicles, -1 without any", &T::speed);
    column("harmonic_mean_speed", "m/s", "harmonic mean of their speeds, -1 without any", &T::harmonic_mean_speed);
    column("length", "m", "mean length of those vehicles, -1 without any", &T::length);
    column("entered", "1", "vehicles that touched the loop", &T::entered);
}

template <class F>
void for_each_area_column(F&& column) {
    using T = AreaRow;
    column("detector", "1", "row of id", &T::detector);
    column("begin", "s", "begin of the interval", &T::begin);
    column("end", "s", "end of the interval", &T::end);
    column("sampled_seconds", "s", "time on the area, summed over vehicles", &T::sampled_seconds);
    column("entered", "1", "vehicles that came onto the area", &T::entered);
    column("left", "1", "vehicles that left the area", &T::left);
    column("seen", "1", "vehicles that were on the area", &T::seen);
    column("mean_speed", "m/s", "mean over vehicles and time, -1 without any", &T::mean_speed);
    column("mean_time_loss", "s", "mean time loss of a vehicle on the area, -1 without any", &T::mean_time_loss);
    column("mean_occupancy", "%", "mean share of the area under vehicles", &T::mean_occupancy);
    column("max_occupancy", "%", "greatest share of the area under vehicles", &T::max_occupancy);
    column("mean_max_jam_vehicles", "1", "mean over steps of the longest jam", &T::mean_max_jam_vehicles);
    column("mean_max_jam_meters", "m", "mean over steps of the longest jam", &T::mean_max_jam_meters);
    column("max_jam_vehicles", "1", "longest jam", &T::max_jam_vehicles);
    column("max_jam_meters", "m", "longest jam", &T::max_jam_meters);
    column("jam_vehicles_sum", "1", "lengths of all jams, summed over steps", &T::jam_vehicles_sum);
    column("jam_meters_sum", "m", "lengths of all jams, summed over steps", &T::jam_meters_sum);
    column("mean_halt", "s", "mean duration of halts that ended", &T::mean_halt);
    column("max_halt", "s", "longest halt that ended", &T::max_halt);
    column("halt_sum", "s", "durations of halts that ended", &T::halt_sum);
    column("mean_interval_halt", "s", "mean duration of halts within the interval", &T::mean_interval_halt);
    column("max_interval_halt", "s", "longest halt within the interval", &T::max_interval_halt);
    column("interval_halt_sum", "s", "durations of halts within the interval", &T::interval_halt_sum);
    column("started_halts", "1", "halts that began", &T::started_halts);
    column("mean_vehicles", "1", "mean number of vehicles on the area", &T::mean_vehicles);
    column("max_vehicles", "1", "greatest number of vehicles on the area", &T::max_vehicles);
}

template <class F>
void for_each_gates_column(F&& column) {
    using T = GatesRow;
    column("detector", "1", "row of id", &T::detector);
    column("begin", "s", "begin of the interval", &T::begin);
    column("end", "s", "end of the interval", &T::end);
    column("travel_time", "s", "mean from gate to gate of those who left, -1 without any", &T::travel_time);
    column("overlap_travel_time", "s", "the same until the back has left", &T::overlap_travel_time);
    column("speed", "m/s", "mean speed of those who left", &T::speed);
    column("halts", "1", "halts per vehicle that left", &T::halts);
    column("time_loss", "s", "mean time loss of those who left", &T::time_loss);
    column("vehicles", "1", "vehicles that left", &T::vehicles);
    column("speed_within", "m/s", "mean speed of those inside at the end, -1 without any", &T::speed_within);
    column("halts_within", "1", "halts per vehicle inside", &T::halts_within);
    column("duration_within", "s", "mean time that those inside have been there", &T::duration_within);
    column("vehicles_within", "1", "vehicles inside at the end", &T::vehicles_within);
    column("interval_speed_within", "m/s", "mean speed of those inside, in the interval", &T::interval_speed_within);
    column("interval_halts_within", "1", "halts per vehicle inside, in the interval", &T::interval_halts_within);
    column("interval_duration_within", "s", "mean time inside, in the interval", &T::interval_duration_within);
    column("time_loss_within", "s", "mean time loss of those inside, in the interval", &T::time_loss_within);
}

template <class F>
void for_each_summary_column(F&& column) {
    using T = StepSummary;
    column("time", "s", "label of the step: the state after it; the step covers the time before the next label",
           &T::time);
    column("loaded", "1", "vehicles of the demand", &T::loaded);
    column("not_due", "1", "vehicles whose departure lies ahead", &T::not_due);
    column("waiting", "1", "vehicles due that could not enter yet", &T::waiting);
    column("running", "1", "vehicles on the road", &T::running);
    column("inserted", "1", "vehicles that entered so far", &T::inserted);
    column("arrived", "1", "vehicles that arrived so far", &T::arrived);
    column("removed", "1", "vehicles removed so far", &T::removed);
    column("teleports", "1", "jumps out of a jam so far", &T::teleports);
    column("collisions", "1", "collisions so far", &T::collisions);
    column("mean_speed", "m/s", "mean over running vehicles, NaN without any", &T::mean_speed);
    column("halted", "1", "running vehicles at 0.1 m/s or less", &T::halted);
    column("state_hash", "1",
           "hash of the vehicles on the road in this and all earlier steps: equal runs have equal hashes",
           &T::state_hash);
}

// Type of a column's element on disk and in memory; enumerations carry their names.
template <class T>
h5::Handle column_type() {
    if constexpr (std::is_same_v<T, TripStatus>)
        return h5::enum_type(trip_status);
    else if constexpr (std::is_same_v<T, RemovalReason>)
        return h5::enum_type(removal_reason);
    else if constexpr (std::is_same_v<T, EdgeFunction>)
        return h5::enum_type(edge_function);
    else
        return h5::copy_type(h5::native_type<T>());
}

// Element type of a member, be it a vector or a single value.
template <class Table, class Member>
struct ElementOf {
    using Type = Member;
};
template <class Table, class Value>
struct ElementOf<Table, std::vector<Value>> {
    using Type = Value;
};
template <class Table, class Member>
using element_t = typename ElementOf<Table, Member>::Type;

inline constexpr int first_mean_data = 2;  // of the tables of means
inline constexpr hsize_t trajectory_chunk_rows = 65536, step_chunk_rows = 1024, trip_chunk_rows = 16384;
inline constexpr std::size_t phase_name_bytes = 48, least_program_bytes = 32;

// The size of texts that come while the run goes on: SWMR mode knows fixed lengths only.
struct TextWidths {
    std::size_t program = least_program_bytes, state = 1;
};
TextWidths text_widths(const NetworkDescription& network);

// 16 digits, as in the attribute state_hash.
std::string hex(std::uint64_t hash);

// Writes all groups, datasets and attributes and what is known before the first step.
void write_header(hid_t file, const RunInfo& run, const NetworkDescription& network, const VehicleList& vehicles,
                  const MeasureDescription& measures, const OutputSettings& settings);

// The groups whose datasets get rows while the run goes on, those of trajectories apart.
std::vector<std::string> growing_groups(hid_t file);

// Where the intervals of a table of means are: 0 edges, 1 lanes, then the mean data.
std::string means_group(int table);

}  // namespace jamiton::schema
