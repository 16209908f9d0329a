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
    // After an error: closes the file, as one of a run that failed, with what was recorded so far, and says what that
    // is.
    void give_up();

  private:
    // Intervals of one table of means; those that are no multiple of the step end with the step that their end falls
    // into.
    struct MeansClock {
        double origin = 0, period = 0, end = 1e12;  // s
        double begin = 0;                           // s, of the present interval
        std::int64_t intervals = 0;

        bool ends(double now, bool last) const;
        void advance(double now);
    };
    void record_means(Simulation& simulation, bool last);

    ScenarioOutput settings_;
    double step_;  // s
    MeansClock edges_, lanes_;
    std::vector<MeansClock> mean_data_;
    double recorded_ = 0, seconds_ = 0;  // time of the last step that was recorded; wall time that recording took, s
    std::unique_ptr<ResultsWriter> writer_;
};

}  // namespace jamiton
