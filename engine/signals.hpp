// Traffic lights: which phase is on, and the state of every signal link in this step.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/parallel.hpp"
#include "engine/network.hpp"
#include "engine/observation.hpp"

namespace jamiton {

class Signals {
  public:
    // The last program of each signal runs; every type runs through its phases by their durations.
    Signals(const NetworkDescription& description, const Network& network);

    // Sets all links to their state at this time, ms.
    void advance(const Exec& exec, std::int64_t time_ms);

    const char* link_state() const { return link_state_.data(); }
    int count() const { return static_cast<int>(programs_.size()); }
    // Signals whose phase changed in the last advance(), in order.
    std::vector<SignalSwitch> switches(double time) const;
    std::size_t bytes() const {
        return programs_.bytes() + phases_.bytes() + states_.bytes() + link_state_.bytes() + current_.bytes() +
               before_.bytes();
    }

    struct Program {
        std::int64_t cycle = 0, offset = 0;  // ms
        int phase_begin = 0, phase_count = 0;
        int link_begin = 0, link_count = 0;
    };
    struct Phase {
        std::int64_t end = 0;  // ms from the start of the cycle
        int state_begin = 0;
        int state_count = 0;
    };

  private:
    Array<Program> programs_;
    Array<Phase> phases_;
    Array<char> states_, link_state_;
    Array<int> current_, before_;  // phase per signal, -1 before the first step
    std::vector<std::string> program_ids_;
};

}  // namespace jamiton
