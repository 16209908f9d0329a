// The table at the end of `jamiton run`, on standard output.
#pragma once

#include <string>

#include "engine/simulation.hpp"

namespace jamiton {

struct RunCosts {
    double loading = 0, running = 0;  // s of wall time
};

// results: the file that was written, or empty.
void print_run_summary(const Simulation& simulation, double simulated, bool complete, const RunCosts& costs,
                       const std::string& results);

}  // namespace jamiton
