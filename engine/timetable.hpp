// When signals change from one program to another.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "engine/signal_plan.hpp"

namespace jamiton {

class Timetable {
  public:
    Timetable(const NetworkDescription& description, const SignalPlan& plan);

    // Calls change(signal, program) for all that is due at this time, ms, in the order of their times.
    template <class F>
    void advance(std::int64_t time, F&& change) {
        while (!due_.empty() && due_.begin()->first <= time) {
            const std::int64_t at = due_.begin()->first;
            const Change c = due_.begin()->second;
            due_.erase(due_.begin());
            change(c.signal, c.program);
            if (c.period > 0) due_.emplace(at + c.period, c);
        }
    }

  private:
    struct Change {
        int signal, program;
        std::int64_t period;  // ms, 0: once
    };
    std::multimap<std::int64_t, Change> due_;  // equal times keep their order
};

}  // namespace jamiton
