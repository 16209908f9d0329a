// SUMO's output files, made from a results file: names and order of elements and attributes as SUMO 1.15 writes them.
// What no results file holds is left out.
#pragma once

#include <string>
#include <vector>

#include "data/results_reader.hpp"

namespace jamiton {

enum class SumoOutput { tripinfo, summary, fcd, edgedata, lanedata, e1, e2, e3 };

struct SumoOutputRequest {
    SumoOutput kind = SumoOutput::tripinfo;
    std::string id;                       // of an <edgeData> or <laneData>, empty: of the table /edges or /lanes
    std::vector<std::int32_t> detectors;  // rows of the detectors of this kind; empty: all
};

// path "-": standard output. Throws InputError when the results do not hold what is asked for, or the path cannot be
// written.
void write_sumo_output(const ResultsReader& results, const SumoOutputRequest& request, const std::string& path);

}  // namespace jamiton
