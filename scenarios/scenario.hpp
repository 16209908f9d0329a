// What `jamiton run` is asked to do: a scenario file (TOML), a folder that holds scenario.toml, or a SUMO
// configuration.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "data/sumo_vehicle_type.hpp"
#include "data/unsupported.hpp"
#include "engine/demand_description.hpp"
#include "engine/network_description.hpp"
#include "engine/record_options.hpp"
#include "engine/routing_options.hpp"

namespace jamiton {

struct ScenarioOutput {
    std::string file = "results.h5";  // relative to the current folder; empty: no output at all
    double trajectories_every = 0;    // s, 0: off
    double edges_every = 300;         // s, 0: off
    double lanes_every = 0;           // s, 0: off
    bool trips = true, summary = true, signals = true;
    int compression = 1;        // deflate level, 0 none
    double flush_interval = 2;  // s of wall time after which readers see what was written
    double precision = 0;       // m and m/s to which trajectories are kept; 0: to the last bit
};

struct RankSettings {
    int count = 1;
    std::string partition = "metis";
    double rebalance = 1.2;  // greatest over mean load that is let be
};

struct Scenario {
    std::string path;     // the file itself, also when a folder was named
    std::string text;     // what it holds, for the results
    std::string network;  // paths of inputs, joined with the scenario's folder
    std::vector<std::string> routes, additional;
    double begin = 0, end = -1, step = 1;  // s; end -1: until nobody is left
    std::uint64_t seed = 42;
    std::string device = "auto";  // auto, cpu or cuda
    int threads = 0;              // 0: as many as the machine has
    bool lenient = false;
    bool ballistic = false;           // position from the mean of old and new speed
    double time_to_teleport = 300;    // s, 0 or less: never
    double time_to_impatience = 180;  // s, 0 or less: never
    bool signals_off = false;         // all run the program off
    RoutingOptions routing;
    RecordOptions record;
    double scale = 1;                // every vehicle and flow this often
    std::string scale_suffix = ".";  // in the ids of copies
    bool extrapolate_depart_pos = false;
    double max_depart_delay = -1;     // s, -1: wait for ever
    double random_depart_offset = 0;  // s
    bool ignore_route_errors = false;
    TypeDefaults types;  // applied by read_inputs
    ScenarioOutput output;
    RankSettings ranks;
    std::vector<std::pair<std::string, std::string>> sumo_outputs;  // option and file that a SUMO configuration names
};

// overrides are texts "key=value" with the keys of the file, such as "time.end=7200".
Scenario load_scenario(const std::string& path, const std::vector<std::string>& overrides, UnsupportedReport& report);

struct ScenarioInput {
    NetworkDescription network;
    DemandDescription demand;
};

// Reads the files that the scenario names.
ScenarioInput read_inputs(const Scenario& scenario, UnsupportedReport& report);

}  // namespace jamiton
