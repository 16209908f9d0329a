// What there is to say of the machine's GPUs and their driver, on one line.
#pragma once

#include <string>

namespace jamiton {

std::string describe_gpus();

}  // namespace jamiton
