// Whose trips are counted in means and written as tripinfo (SUMO's options device.tripinfo.*).
#pragma once

#include <string>
#include <vector>

namespace jamiton {

struct RecordOptions {
    double probability = -1;            // -1: all, or those named only
    std::vector<std::string> vehicles;  // ids
};

}  // namespace jamiton
