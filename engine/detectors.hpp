// All detectors of a run. Who drives over what one watches is found in parallel; the detectors then take their own
// sightings one after the other, in an order that does not depend on threads. Lanes without detectors cost nothing
// more.
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "engine/core/parallel.hpp"
#include "engine/detector.hpp"
#include "engine/passages.hpp"

namespace jamiton {

class Detectors {
  public:
    Detectors(const std::vector<DetectorDescription>& descriptions, const Network& network, const Demand& demand,
              double begin);

    bool empty() const { return detectors_.empty(); }
    // Between move and regroup. time: s, label of the step.
    void add_step(const Exec& exec, const World& world, const PlaceBefore* before, double time);
    // The intervals that end at `end` (s); `last`: all.
    DetectorRows take(double end, bool last);

  private:
    struct One {
        std::variant<LoopDetector, AreaDetector, GatesDetector> detector;
        int row = 0;         // among those of its kind
        double period = -1;  // s, -1: the whole run
        double begin = 0;    // s, of the interval
        int interval = 0;
    };
    void find(const Exec& exec, const World& world, const PlaceBefore* before);

    double begin_;
    std::vector<One> detectors_;
    Array<DetectorLink> links_;    // by lane
    Array<int> link_begin_;        // per lane and one more
    Array<std::uint8_t> watched_;  // [detector][type]: counts
    Array<Sighting> sightings_;
    Array<int> sighting_count_;
    int type_count_;
};

}  // namespace jamiton
