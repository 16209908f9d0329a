// The part of `jamiton info` that knows results files.
#pragma once

#include <string>

namespace jamiton {

bool is_results_file(const std::string& path);  // HDF5 of any kind

void print_results_info(const std::string& path);

}  // namespace jamiton
