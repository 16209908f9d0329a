#include "scenarios/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/core/log.hpp"

namespace jamiton {
namespace {

constexpr double long_part = 1;  // s of wall time that a part of loading may take without a line
constexpr double terminal_interval = 0.2, pipe_interval = 10, rest_interval = 1;  // s of wall time

// A line of the terminal that the next one replaces; a longer one than the terminal is wide could not be taken back.
void replace_line(const std::string& line) {
    winsize size{};
    const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
    fmt::print(stderr, "\r\033[K{}", line.substr(0, known ? size.ws_col - 1u : 79u));
    std::fflush(stderr);
}

std::string bar(double share) {
    constexpr int width = 20;
    const int filled = static_cast<int>(share * width);
    return fmt::format("[{}{}] {:3.0f} %  ", std::string(static_cast<std::size_t>(filled), '#'),
                       std::string(static_cast<std::size_t>(width - filled), '.'), share * 100);
}

}  // namespace

double seconds_since(WallClock::time_point start) {
    return std::chrono::duration<double>(WallClock::now() - start).count();
}

Progress::Progress(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) == 1) {}

void Progress::begin_part(const char* part) {
    loading_.push_back({.name = part});
    part_start_ = WallClock::now();
    if (terminal_ && !quiet_) replace_line(fmt::format("{} ...", part));
}

void Progress::end_part() {
    PhaseCost& part = loading_.back();
    part.seconds = seconds_since(part_start_);
    clear();
    if (part.seconds >= long_part) log_info(fmt::format("{}: {:.1f} s", part.name, part.seconds));
}

void Progress::start(double begin, double end, double step) {
    begin_ = begin;
    end_ = end;
    step_ = step;
    start_ = shown_ = rest_shown_ = WallClock::now();
}

void Progress::update(const StepSummary& summary) {
    if (quiet_) return;
    if (end_ < 0) show_rest(summary);
    if (seconds_since(shown_) < (terminal_ ? terminal_interval : pipe_interval)) return;
    shown_ = WallClock::now();
    show(summary);
}

void Progress::show(const StepSummary& s) {
    const double wall = wall_seconds(), simulated = s.time + step_ - begin_;
    std::string line = fmt::format("{:.0f} s  running {}  {:.1f} x real time", s.time, s.running, simulated / wall);
    if (end_ >= 0) {
        const double share = std::clamp(simulated / std::max(end_ - begin_, step_), 1e-9, 1.0);
        line += fmt::format("  {:.0f} s left", wall / share * (1 - share));
        if (terminal_) line.insert(0, bar(share));
    }
    line += fmt::format("  waiting {}  arrived {}", s.waiting, s.arrived);  // last: a narrow terminal cuts it off
    if (terminal_) {
        replace_line(line);
    } else {
        log_info(line);
    }
}

// A run without end may go on for ever: each simulated hour it says who is left, at most once a second.
void Progress::show_rest(const StepSummary& s) {
    const auto hours = static_cast<std::int64_t>((s.time + step_ - begin_) / 3600 + 1e-9);
    if (hours == hours_ || (hours_ > 0 && seconds_since(rest_shown_) < rest_interval)) return;
    hours_ = hours;
    rest_shown_ = WallClock::now();
    const auto left = s.running + s.waiting + s.not_due;
    if (left == 0) return;
    clear();
    log_info(fmt::format("after {} h of simulated time {} of {} vehicles are left: {} running, {} waiting, {} not due",
                         hours, left, s.loaded, s.running, s.waiting, s.not_due));
}

void Progress::clear() {
    if (terminal_ && !quiet_) replace_line("");
}

}  // namespace jamiton
