#pragma once

#include "engine/core/check.hpp"

namespace jamiton {

// What is wrong is on the command line, not in a file.
struct CommandLineError : InputError {
    using InputError::InputError;
};

}  // namespace jamiton
