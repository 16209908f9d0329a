// The only place that prints diagnostics: whole lines to standard error, from any thread.
#pragma once

#include "engine/core/check.hpp"

namespace jamiton {

enum class LogLevel { info, warning, error };

// Quiet drops info lines; warnings and errors always appear.
void set_quiet(bool quiet);

void log_line(LogLevel level, const std::string& message);

template <class... Parts>
void log_info(const Parts&... parts) {
    log_line(LogLevel::info, text(parts...));
}

template <class... Parts>
void log_warning(const Parts&... parts) {
    log_line(LogLevel::warning, text(parts...));
}

template <class... Parts>
void log_error(const Parts&... parts) {
    log_line(LogLevel::error, text(parts...));
}

}  // namespace jamiton
