// What `jamiton run` shows while it goes: a bar on a terminal, plain lines in a pipe, and a table at the end.
#pragma once

#include <chrono>
#include <string>

#include "engine/simulation.hpp"

namespace jamiton {

class Progress {
public:
    // end < 0: unknown.
    Progress(double begin, double end, double step, bool quiet);
    void update(const StepSummary& summary);
    void finish(const Simulation& simulation, const std::string& results, bool interrupted);

private:
    void show(const StepSummary& summary);

    double begin_, end_, step_;
    bool quiet_, terminal_;
    std::chrono::steady_clock::time_point start_, shown_;
};

}  // namespace jamiton
