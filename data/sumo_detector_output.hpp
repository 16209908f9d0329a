// Intervals of detectors, as SUMO writes them. rows: of the detectors that are wanted; empty: all.
#pragma once

#include "data/results_reader.hpp"
#include "data/xml_writer.hpp"

namespace jamiton {

// Throws InputError when there is no detector of this kind (e1, e2, e3).
void check_detectors(const ResultsReader& results, const std::string& kind);
void write_loops(const ResultsReader& results, const std::vector<std::int32_t>& rows, XmlWriter& xml);
void write_areas(const ResultsReader& results, const std::vector<std::int32_t>& rows, XmlWriter& xml);
void write_gates(const ResultsReader& results, const std::vector<std::int32_t>& rows, XmlWriter& xml);

}  // namespace jamiton
