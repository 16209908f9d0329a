// The x86-64 level of the machine's CPU (1 to 4, as the psABI defines them), 0 on another architecture.
#pragma once

namespace jamiton {

int cpu_level();

}  // namespace jamiton
