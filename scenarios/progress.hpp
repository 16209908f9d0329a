// What `jamiton run` shows on standard error while it goes: a bar on a terminal, plain lines, and few, in a pipe.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "engine/observation.hpp"

namespace jamiton {

using WallClock = std::chrono::steady_clock;

double seconds_since(WallClock::time_point start);

class Progress {
  public:
    explicit Progress(bool quiet);
    ~Progress() { clear(); }

    // Runs a part of the loading: a terminal shows what is going on, a pipe what took long.
    template <class Work>
    auto load(const char* part, Work&& work) {
        begin_part(part);
        auto result = work();
        end_part();
        return result;
    }
    const std::vector<PhaseCost>& loading() const { return loading_; }

    // s of simulated time; end < 0: until nobody is left.
    void start(double begin, double end, double step);
    void update(const StepSummary& summary);                       // after each step
    void clear();                                                  // makes room on the terminal for other lines
    double wall_seconds() const { return seconds_since(start_); }  // since start()

  private:
    void begin_part(const char* part);
    void end_part();
    void show(const StepSummary& summary);
    void show_rest(const StepSummary& summary);

    bool quiet_, terminal_;
    double begin_ = 0, end_ = -1, step_ = 1;
    std::vector<PhaseCost> loading_;
    WallClock::time_point part_start_, start_, shown_, rest_shown_;
    std::int64_t hours_ = 0;  // of simulated time that show_rest has told of
};

}  // namespace jamiton
