#include "engine/speed_signs.hpp"

#include <algorithm>

namespace jamiton {

SpeedSigns::SpeedSigns(const Demand& demand, const Network& network) : changes_(demand.speed_changes) {
    std::stable_sort(changes_.begin(), changes_.end(),
                     [](const SpeedChange& a, const SpeedChange& b) { return a.step < b.step; });
    for (const SpeedChange& change : changes_) own_.push_back(network.lanes[change.lane].speed_limit);
}

void SpeedSigns::raise(Network& network) const {
    for (const SpeedChange& change : changes_) {
        float& limit = network.lanes[change.lane].speed_limit;
        limit = std::max(limit, change.speed);
    }
}

void SpeedSigns::own(Network& network) const {
    for (std::size_t n = 0; n < changes_.size(); ++n) network.lanes[changes_[n].lane].speed_limit = own_[n];
}

void SpeedSigns::advance(std::int32_t step, Network& network) {
    for (; next_ < changes_.size() && changes_[next_].step <= step; ++next_) {
        const SpeedChange& change = changes_[next_];
        network.lanes[change.lane].speed_limit = change.speed < 0 ? own_[next_] : change.speed;
    }
}

}  // namespace jamiton
