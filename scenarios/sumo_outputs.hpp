// The output files that a SUMO configuration and its additional files name, written into a folder of their own.
#pragma once

#include <map>
#include <string>

#include "data/sumo_output.hpp"
#include "engine/measure_description.hpp"
#include "scenarios/scenario.hpp"

namespace jamiton {

// Makes the folder and lets the run keep what the files need. Throws InputError when that cannot be.
void prepare_sumo_outputs(Scenario& scenario, const std::string& folder);
// Whether an output option of a configuration is one that is written.
bool is_written_output(const std::string& option);

// Files by their path in the folder. Two outputs may share a file only where they are detectors of one kind.
class SumoOutputs {
  public:
    // Throws InputError where a file would replace what the run reads, or its results.
    SumoOutputs(const Scenario& scenario, const MeasureDescription& measures, const std::string& folder);
    void write() const;  // after the run, from its results

  private:
    void add(const std::string& name, SumoOutputRequest request);
    void check(const Scenario& scenario) const;

    std::string folder_, results_;
    std::map<std::string, SumoOutputRequest> requests_;
};

}  // namespace jamiton
