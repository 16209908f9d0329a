#include "engine/core/log.hpp"

#include <atomic>
#include <cstdio>

namespace jamiton::log {
namespace {

std::atomic<bool> quiet_{false};

const char* prefix(Level level) {
    switch (level) {
        case Level::info: return "";
        case Level::warning: return "jamiton: warning: ";
        case Level::error: return "jamiton: error: ";
    }
    return "";
}

}  // namespace

void set_quiet(bool quiet) { quiet_ = quiet; }

void write(Level level, const std::string& message) {
    if (level == Level::info && quiet_) return;
    // One call per line: the stream's own lock keeps lines of several threads whole.
    const std::string line = prefix(level) + message + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace jamiton::log
