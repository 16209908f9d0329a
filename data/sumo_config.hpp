// .sumocfg: options as elements, at any depth and under any root.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "data/sumo_vehicle_type.hpp"
#include "data/unsupported.hpp"
#include "engine/record_options.hpp"
#include "engine/routing_options.hpp"

namespace jamiton {

constexpr double least_step = 0.001, most_step = 60;  // s

struct SumoConfig {
    std::string net_file;  // paths are joined with the folder of the configuration
    std::vector<std::string> route_files, additional_files;
    double begin = 0, end = -1, step_length = 1;  // s; end -1: until nobody is left
    std::optional<std::uint64_t> seed;
    bool ballistic = false;
    bool ignore_route_errors = false;
    double time_to_teleport = 300;    // s, 0 or less: never
    double time_to_impatience = 180;  // s, 0 or less: never
    bool signals_off = false;
    double max_depart_delay = -1;     // s, -1: wait for ever
    double random_depart_offset = 0;  // s
    double scale = 1;
    std::string scale_suffix = ".";
    bool extrapolate_depart_pos = false;
    RoutingOptions routing;
    RecordOptions record;
    TypeDefaults types;
    std::vector<std::pair<std::string, std::string>> outputs;  // option and file name as in the configuration
};

SumoConfig read_sumo_config(const std::string& path, UnsupportedReport& report);

}  // namespace jamiton
