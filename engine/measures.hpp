// What a run measures beside its vehicles: means per edge and lane, and detectors.
#pragma once

#include <memory>
#include <vector>

#include "engine/detectors.hpp"
#include "engine/lane_meter.hpp"

namespace jamiton {

class Measures {
  public:
    // Meters of all vehicles first, `plain` of them, then one for each mean data.
    Measures(const MeasureDescription& description, int plain, const Network& network, const Demand& demand,
             double begin);

    // The calls of a step, in this order; the second one between move and regroup, the third between change and
    // regroup.
    void note_places(const Exec& exec, const World& world);
    void follow(const Exec& exec, const World& world, double time);
    void add_changes(const Exec& exec);

    LaneMovesView lane_moves(int vehicles);
    LaneMeter& meter(std::size_t number) { return meters_[number]; }
    Detectors& detectors() { return detectors_; }
    std::size_t bytes() const;

  private:
    std::vector<LaneMeter> meters_;
    Detectors detectors_;
    Array<PlaceBefore> before_;
    Array<LaneMove> moves_;
    Array<int> move_count_;
};

}  // namespace jamiton
