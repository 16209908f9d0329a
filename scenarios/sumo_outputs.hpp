// The output files that a SUMO configuration and its additional files name, written into a folder of their own.
#pragma once

#include <string>

#include "engine/measure_description.hpp"
#include "scenarios/scenario.hpp"

namespace jamiton {

// Makes the folder and lets the run keep what the files need. Throws InputError when that cannot be.
void prepare_sumo_outputs(Scenario& scenario, const std::string& folder);
// Whether an output option of a configuration is one that is written.
bool is_written_output(const std::string& option);
// After the run: from its results.
void write_sumo_outputs(const Scenario& scenario, const MeasureDescription& measures, const std::string& folder);

}  // namespace jamiton
