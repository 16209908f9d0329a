// The signals that changed in a step, collected by kernels in no order.
#pragma once

#include "engine/core/atomic.hpp"

namespace jamiton {

struct SignalChanges {
    int *signals = nullptr, *count = nullptr;
    HD void add(int signal) const { signals[atomic_add(count, 1)] = signal; }
};

}  // namespace jamiton
