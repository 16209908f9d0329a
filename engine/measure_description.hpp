// What a run is asked to measure, as readers give it: detectors on lanes, and means over edges or lanes.
#pragma once

#include <string>
#include <vector>

namespace jamiton {

enum class DetectorKind { loop, area, gates };  // SUMO's E1, E2, E3

// A stretch of a lane that a detector watches; a cross-section has begin = end.
struct DetectorPart {
    int lane = -1;
    float begin = 0, end = 0;  // m from lane start
    bool exit = false;         // of gates: vehicles leave here
};

struct DetectorDescription {
    DetectorKind kind = DetectorKind::loop;
    std::string id, file;
    std::vector<DetectorPart> parts;  // of an area one behind the other, internal lanes included
    double period = -1;               // s, -1: the whole run
    double time_threshold = 1;        // s below speed_threshold after which a vehicle halts
    double speed_threshold = 1.39;    // m/s
    double jam_threshold = 10;        // m between vehicles of one jam
    std::vector<std::string> types;   // ids of vehicle types, empty: all
};

struct MeanDataDescription {
    bool of_lanes = false;  // else of edges
    std::string id, file;
    double begin = 0, end = 1e12, period = -1;  // s, -1: all in one
    bool exclude_empty = false;                 // what nobody drove on
    bool with_internal = false;
    double min_samples = 0;          // s, edges and lanes with fewer have no means
    std::vector<int> edges;          // empty: all
    std::vector<std::string> types;  // ids of vehicle types, empty: all
};

struct MeasureDescription {
    std::vector<DetectorDescription> detectors;
    std::vector<MeanDataDescription> mean_data;
};

}  // namespace jamiton
