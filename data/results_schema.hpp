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

inline constexpr std::array trip_status{"not_due", "waiting", "running", "arrived", "removed"};
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
    column("entered", "1", "vehicles that came onto the edge, insertions too", &T::entered);
    column("left", "1", "vehicles that left the edge, arrivals too", &T::left);
    column("mean_speed", "m/s", "mean speed over vehicles and time, NaN when empty", &T::mean_speed);
    column("density", "1/km", "mean number of vehicles per km of the edge", &T::density);
    column("occupancy", "%", "share of the lanes' length under vehicles", &T::occupancy);
    column("waiting_time", "s", "time at 0.1 m/s or less, summed over vehicles", &T::waiting_time);
    column("travel_time", "s", "length by mean speed, NaN when empty", &T::travel_time);
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
                  const OutputSettings& settings);

}  // namespace jamiton::schema
