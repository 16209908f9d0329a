// Means over edges and lanes, as SUMO writes them for <edgeData> and <laneData>.
#pragma once

#include "data/results_reader.hpp"
#include "data/xml_writer.hpp"

namespace jamiton {

// id: of the definition, empty: the table /edges or /lanes. Throws InputError when there is no such table or it is
// empty.
void check_means(const ResultsReader& results, bool of_lanes, const std::string& id);
void write_means(const ResultsReader& results, bool of_lanes, const std::string& id, XmlWriter& xml);

}  // namespace jamiton
