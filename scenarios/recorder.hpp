// What a run writes into its results file, and when.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "data/results.hpp"
#include "engine/simulation.hpp"
#include "scenarios/scenario.hpp"

namespace jamiton {

class Recorder {
  public:
    // Without an output file nothing is ever written. `command` is the whole command line.
    Recorder(const Scenario& scenario, const std::string& command, const NetworkDescription& network,
             const Simulation& simulation);

    void record(Simulation& simulation);  // after each step
    // phases: costs outside of the step.
    void finish(Simulation& simulation, bool complete, std::vector<PhaseCost> phases);
    // After an error of the simulation: closes the file with what was recorded so far, and says what that is.
    void give_up();

  private:
    void record_edges(Simulation& simulation);
    void end_interval(Simulation& simulation);

    ScenarioOutput settings_;
    double begin_, step_, interval_begin_;  // s
    std::int64_t intervals_ = 0;
    double recorded_ = 0, seconds_ = 0;  // time of the last step that was recorded; wall time that recording took, s
    std::unique_ptr<ResultsWriter> writer_;
};

}  // namespace jamiton
