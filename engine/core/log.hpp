// The only place that prints diagnostics: whole lines to standard error, from any thread.
#pragma once

#include "engine/core/check.hpp"

namespace jamiton::log {

enum class Level { info, warning, error };

// Quiet drops info lines; warnings and errors always appear.
void set_quiet(bool quiet);

void write(Level level, const std::string& message);

template <class... Parts>
void info(const Parts&... parts) { write(Level::info, text(parts...)); }

template <class... Parts>
void warning(const Parts&... parts) { write(Level::warning, text(parts...)); }

template <class... Parts>
void error(const Parts&... parts) { write(Level::error, text(parts...)); }

}  // namespace jamiton::log
