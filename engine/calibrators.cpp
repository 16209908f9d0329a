#include "engine/calibrators.hpp"

#include <algorithm>
#include <cmath>

#include "engine/entry.hpp"
#include "engine/motion.hpp"

namespace jamiton {

namespace {

constexpr double make_up_headway = 3;  // s: at one per this time it is never too late to add those missing

}  // namespace

Calibrators::Calibrators(const Demand& demand, double step)
    : calibrations_(demand.calibrations), step_(step), states_(demand.calibrations.size()) {
    for (std::size_t n = 0; n < states_.size(); ++n) {
        states_[n].next = calibrations_[n].first_spare;
        spare_count_ += calibrations_[n].spare_count;
    }
}

int* Calibrators::met(int vehicles) {
    if (static_cast<int>(met_.size()) < vehicles + 1) {
        met_.resize(static_cast<std::size_t>(vehicles) + 1);
        met_[0] = 0;
    }
    return met_.data();
}

int Calibrators::take_off(const World& world) {
    const auto place = [&](int vehicle) { return world.now.where[vehicle]; };
    int* const end = std::remove_if(met_.data() + 1, met_.data() + 1 + met_[0], [&](int v) { return place(v) < 0; });
    std::sort(met_.data() + 1, end,
              [&](int a, int b) { return place(a) < place(b); });  // lane by lane, first ones first
    for (const int* vehicle = met_.data() + 1; vehicle != end; ++vehicle)
        count_entry(world, static_cast<std::uint32_t>(*vehicle));
    met_[0] = 0;
    int taken = 0;
    for (std::size_t n = 0; n < states_.size(); ++n) {
        if (!is_call(calibrations_[n], static_cast<std::int32_t>(world.step))) continue;
        for (const std::uint32_t vehicle : states_[n].surplus) {
            const int index = world.now.where[vehicle];
            if (index < 0 || world.now.kinematics[index].lane == gone) continue;
            jamiton::take_off(world, index);
            ++taken;
        }
        states_[n].surplus.clear();
    }
    return taken;
}

// Whoever comes when the number wanted has passed is too many.
void Calibrators::count_entry(const World& world, std::uint32_t vehicle) {
    const int lane = world.now.kinematics[world.now.where[vehicle]].lane, edge = world.net.lanes[lane].edge;
    for (std::size_t n = 0; n < states_.size(); ++n) {
        const Calibration& c = calibrations_[n];
        const auto step = static_cast<std::int32_t>(world.step);
        if (c.edge != edge || (c.lane >= 0 && c.lane != lane) || step < c.begin || step >= c.end) continue;
        if (states_[n].passed >= c.wanted)
            states_[n].surplus.push_back(vehicle);
        else
            ++states_[n].passed;
    }
}

// Only as many as could not be made up for later in the interval.
int Calibrators::missing(std::size_t n, std::int32_t step) const {
    const Calibration& c = calibrations_[n];
    if (!is_call(c, step)) return 0;
    const double due = c.rate * (step - c.begin) * step_;
    const auto later = static_cast<std::int64_t>((c.end - step) * step_ / make_up_headway);
    const std::int64_t spare = c.first_spare + static_cast<std::uint32_t>(c.spare_count) - states_[n].next;
    std::int64_t count = 0;
    for (std::int64_t passed = states_[n].passed; count < spare && passed < c.wanted; ++count, ++passed)
        if (due <= static_cast<double>(passed + std::max<std::int64_t>(0, passed + later - c.wanted))) break;
    return static_cast<int>(std::min<std::int64_t>(count, most_per_step));
}

// They are no others that the calibrator meets.
void Calibrators::add(std::size_t n, int entered) {
    states_[n].passed += entered;
    states_[n].next += static_cast<std::uint32_t>(entered);
    called_ += entered;
    met_[0] = 0;
}

}  // namespace jamiton
