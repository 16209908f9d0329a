// What differs between the results of two runs, /performance and the attributes `command` and `program_version` apart.
#pragma once

#include <string>
#include <vector>

#include "data/results_reader.hpp"

namespace jamiton {

struct Difference {
    std::string what;  // attribute, dataset or place in it
    std::string first, second;
    std::string count;  // how much of it differs, empty where it is one thing
};

struct MeanDifference {
    std::string what, unit;
    double first = 0, second = 0;
};

struct Comparison {
    std::vector<Difference> differences;         // none: equal
    std::vector<MeanDifference> means;           // trip figures, where /trips differs
    std::size_t trips = 0, steps = 0, rows = 0;  // compared
};

Comparison compare_results(const ResultsReader& first, const ResultsReader& second);

}  // namespace jamiton
