// Edges whose inflow is kept at a wanted number of vehicles, as measured in SUMO 1.15: who comes beyond it is taken
// off, and where too few come others are put on the edge. Free for runs without any.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/demand.hpp"
#include "engine/state.hpp"

namespace jamiton {

class Calibrators {
  public:
    // step: s.
    Calibrators(const Demand& demand, double step);

    // Vehicles that come onto calibrated lanes are put behind the number of them (World::at_calibrators).
    int* met(int vehicles);
    // Counts those met since the last call, and marks those as gone who are too many. Returns how many.
    int take_off(const World& world);
    // Vehicles that the n-th calibration wants to add in this step: numbers from next(n) on.
    int missing(std::size_t n, std::int32_t step) const;
    std::uint32_t next(std::size_t n) const { return states_[n].next; }
    void add(std::size_t n, int entered);

    std::size_t count() const { return states_.size(); }
    int called() const { return called_; }                   // have been added so far
    int uncalled() const { return spare_count_ - called_; }  // may be added yet

  private:
    struct State {
        int passed = 0;
        std::uint32_t next = 0;              // the spare vehicle that enters next
        std::vector<std::uint32_t> surplus;  // vehicles to be taken off
    };

    void count_entry(const World& world, std::uint32_t vehicle);
    bool is_call(const Calibration& c, std::int32_t step) const {
        return c.begin <= step && step < c.end && (step - c.begin) % c.period == 0;
    }

    std::vector<Calibration> calibrations_;
    double step_;  // s
    std::vector<State> states_;
    Array<int> met_;
    int spare_count_ = 0, called_ = 0;
};

}  // namespace jamiton
