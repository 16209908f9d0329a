// Makes the file of a killed run an ordinary one that any program opens.
#pragma once

#include <string>

namespace jamiton {

struct RepairReport {
    bool was_marked = false;  // false: the file was in order and was not touched
    double end = 0;           // s, up to which it holds the run
    std::size_t steps = 0;    // of /summary
};

RepairReport repair_results(const std::string& path);

}  // namespace jamiton
