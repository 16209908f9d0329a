// tripinfo and summary, as SUMO writes them.
#pragma once

#include "data/results_reader.hpp"
#include "data/xml_writer.hpp"

namespace jamiton {

void write_tripinfo(const ResultsReader& results, XmlWriter& xml);
void write_summary(const ResultsReader& results, XmlWriter& xml);

}  // namespace jamiton
