// Trajectories as SUMO's floating car data.
#pragma once

#include "data/results_reader.hpp"
#include "data/xml_writer.hpp"

namespace jamiton {

void write_fcd(const ResultsReader& results, XmlWriter& xml);

}  // namespace jamiton
