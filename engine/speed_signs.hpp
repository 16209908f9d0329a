// Speed limits that change at given times: variable speed signs and calibrators. Free for runs without any.
#pragma once

#include <vector>

#include "engine/demand.hpp"
#include "engine/network.hpp"

namespace jamiton {

class SpeedSigns {
  public:
    SpeedSigns(const Demand& demand, const Network& network);

    // The highest limits that ever hold, for look-ahead; own() undoes it.
    void raise(Network& network) const;
    void own(Network& network) const;
    // Limits of this step.
    void advance(std::int32_t step, Network& network);

  private:
    std::vector<SpeedChange> changes_;  // by step
    std::vector<float> own_;            // m/s, of the lane of each change
    std::size_t next_ = 0;
};

}  // namespace jamiton
