// Traffic lights: which phase is on, and the state of every signal link in this step.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/parallel.hpp"
#include "engine/detection_ranges.hpp"
#include "engine/induction_loops.hpp"
#include "engine/network.hpp"
#include "engine/observation.hpp"
#include "engine/rail_plan.hpp"
#include "engine/signal_changes.hpp"
#include "engine/signal_controllers.hpp"
#include "engine/signal_plan.hpp"
#include "engine/timetable.hpp"

namespace jamiton {

class Signals {
  public:
    // The last program of each signal runs, unless a timetable says otherwise.
    Signals(const NetworkDescription& description, const Network& network, std::size_t vehicles);

    // Sets all links to their state at this time, ms. World: the state that the step before has left.
    void advance(const Exec& exec, std::int64_t time_ms, const World& world);

    const char* link_state() const { return link_state_.data(); }
    const int* link_since() const { return link_since_.data(); }  // step in which it became so
    int count() const { return static_cast<int>(signals_.size()); }
    // Signals whose phase or program changed in the last advance(), in order.
    std::vector<SignalSwitch> switches(double time) const;
    std::size_t bytes() const {
        return plan_.bytes() + rail_plan_.bytes() + signals_.bytes() + link_state_.bytes() + link_since_.bytes() +
               loops_.bytes() + ranges_.bytes() + seen_.bytes() + reserved_.bytes() + holders_.bytes() +
               changed_.bytes();
    }

  private:
    RailView rail();

    SignalPlan plan_;
    RailPlan rail_plan_;
    Timetable timetable_;
    Array<SignalState> signals_;
    Array<char> link_state_;
    Array<int> link_since_;
    Array<LoopState> loops_;
    Array<RangeState> ranges_;
    Array<SeenVehicle> seen_;             // by vehicle number, where there are ranges
    Array<std::uint64_t> reserved_;       // per lane, where there are railway signals
    Array<std::uint32_t> holders_;        // per link of a railway signal
    Array<int> changed_, changed_count_;  // signals that changed, in no order
};

}  // namespace jamiton
