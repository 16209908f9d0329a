// A road network as a reader gives it or a generator makes it: host structs close to the file, indices instead of ids.
// build_network() (network.hpp) turns it into the arrays that the kernels read.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "engine/vehicle_class.hpp"

namespace jamiton {

// Where an element stood: an index into the description's `sources` and the line in that file (0: not from a file).
struct SourceRef {
    std::uint32_t file = 0, line = 0;
};

struct Point {
    float x = 0, y = 0;  // m, in the net's own coordinates
};

enum class EdgeFunction : std::uint8_t { normal, internal, connector, crossing, walking_area };

struct EdgeDescription {
    std::string id;
    std::string name;        // street name, may be empty
    int from = -1, to = -1;  // junctions; for an internal edge both are the junction it lies in
    EdgeFunction function = EdgeFunction::normal;
    int type = -1;  // index into NetworkDescription::types, -1 none
    int priority = -1;
    int first_lane = 0, lane_count = 0;  // lanes of an edge are contiguous, rightmost first
    bool roundabout = false;
    SourceRef source;
};

struct LaneDescription {
    std::string id;
    int edge = -1;
    float length = 0, speed = 0;  // m, m/s
    float width = 3.2f;           // m
    Permissions allowed = all_classes;
    Permissions change_left = all_classes, change_right = all_classes;  // classes that may change to that side
    float stop_offset = 0;                                              // m before the lane end, SUMO's stopOffset
    Permissions stop_offset_classes = 0;
    bool acceleration = false;  // an acceleration lane
    float friction = 1;         // coefficient as SUMO counts it: 1 is a dry road
    std::vector<Point> shape;
};

// Speed limits of an edge type for single classes (<restriction>).
struct EdgeTypeDescription {
    std::string id;
    std::vector<std::pair<VehicleClass, float>> speed_of_class;  // m/s
};

// One <connection>: from a lane over an internal lane to a lane. Those that begin on internal lanes are in the list
// too.
struct ConnectionDescription {
    int from_lane = -1, to_lane = -1;
    int via_lane = -1;     // first internal lane, -1 none
    int signal = -1;       // index into signals, -1 none
    int link_index = -1;   // index into the signal's state strings
    char direction = 's';  // s t l r L R, 'i' invalid
    char state = 'M';      // SUMO's link state: M m = s w Z o O - (as in the file)
    bool keep_clear = true;
    bool pass = false;  // has the right of way against all
    bool uncontrolled = false;
    float cont_pos = -1;            // m, -1 not set
    float visibility = 4.5f;        // m
    float speed = -1, length = -1;  // of the connection where the file sets them, else -1
    Permissions allowed = all_classes;
    SourceRef source;
};

enum class JunctionType : std::uint8_t {
    unknown,
    traffic_light,
    traffic_light_unregulated,
    traffic_light_right_on_red,
    priority,
    priority_stop,
    right_before_left,
    left_before_right,
    allway_stop,
    zipper,
    unregulated,
    dead_end,
    rail_signal,
    rail_crossing,
    district,
    internal
};

// One <request>: row `index` of the junction's tables; the strings are as in the file (rightmost character is link 0).
struct RequestDescription {
    std::string response, foes;
    bool cont = false;
};

struct JunctionDescription {
    std::string id;
    JunctionType type = JunctionType::unknown;
    float x = 0, y = 0;
    std::vector<int> incoming_lanes;           // in file order; an internal junction lists the foe lanes too
    std::vector<int> internal_lanes;           // intLanes, in file order: position = row of the request table
    std::vector<RequestDescription> requests;  // indexed by the request's index
    std::vector<Point> shape;
    SourceRef source;
};

struct PhaseDescription {
    double duration = 0;                          // s
    double min_duration = -1, max_duration = -1;  // s, -1 not set
    double earliest_end = -1, latest_end = -1;    // s in cycle, -1 not set
    std::string state;                            // one of G g y Y r u o O s per link index
    std::vector<int> next;                        // phases that may follow; empty: the one after
    std::string name;
};

enum class SignalType : std::uint8_t {
    static_,
    actuated,
    delay_based,
    max_pressure,
    rail_signal,
    rail_crossing,
    other
};

// How a program that reacts to traffic sees it.
struct ControlDescription {
    double max_gap = 3;         // s between vehicles up to which green is held
    double detector_gap = 2;    // s of driving at the limit from a loop to the stop line
    double passing_time = 1.9;  // s from vehicle to vehicle at the stop line
    double jam_threshold = -1;  // s on a loop after which a vehicle no longer holds green, not above 0: never
    double range = 100;         // m before the stop line in which vehicles are seen
    double least_loss = 1;      // s that a vehicle has to lose there to hold green
    std::vector<std::pair<std::string, double>> max_gap_of_lane;  // s
};

// The program without phases that leaves the right of way to the roads' priority.
inline constexpr const char* off_program = "off";

struct ProgramDescription {
    std::string id;
    SignalType type = SignalType::static_;
    double offset = 0;  // s
    std::vector<PhaseDescription> phases;
    std::vector<std::pair<std::string, std::string>> parameters;
    ControlDescription control;
    SourceRef source;
};

struct SignalDescription {
    std::string id;
    std::vector<ProgramDescription>
        programs;  // in the order read; the last one read runs (an additional file replaces)
};

// Changes the programs of signals at given times (SUMO's WAUT).
struct TimetableDescription {
    std::string id, start_program;
    double reference = 0, period = 0;                      // s; times count from the reference; period 0: once
    std::vector<std::pair<double, std::string>> switches;  // time and program from then on
    std::vector<int> signals;
    SourceRef source;
};

struct NetworkDescription {
    std::vector<EdgeDescription> edges;  // normal edges and internal ones, in file order
    std::vector<LaneDescription> lanes;  // all lanes of edge 0, then of edge 1, ...
    std::vector<ConnectionDescription> connections;
    std::vector<JunctionDescription> junctions;
    std::vector<SignalDescription> signals;
    std::vector<TimetableDescription> timetables;
    std::vector<EdgeTypeDescription> types;
    std::vector<std::string> sources;   // file names for SourceRef
    std::string projection = "!";       // proj string of <location>, "!" none
    double offset_x = 0, offset_y = 0;  // netOffset, m
    bool left_hand = false;
    bool has_internal_lanes = false;
};

}  // namespace jamiton
