#include "engine/core/log.hpp"

#include <atomic>
#include <cstdio>

namespace jamiton {
namespace {

std::atomic<bool> quiet_now{false};

const char* prefix(LogLevel level) {
    switch (level) {
        case LogLevel::info: return "";
        case LogLevel::warning: return "jamiton: warning: ";
        case LogLevel::error: return "jamiton: error: ";
    }
    return "";
}

}  // namespace

void set_quiet(bool quiet) { quiet_now = quiet; }

void log_line(LogLevel level, const std::string& message) {
    if (level == LogLevel::info && quiet_now) return;
    // One call per line: the stream's own lock keeps lines of several threads whole.
    const std::string line = prefix(level) + message + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace jamiton
