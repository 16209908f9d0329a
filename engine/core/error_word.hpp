// How kernels, which cannot throw, tell the host of a mistake: the first code and the smallest id of a step win.
#pragma once

#include <cstdint>

#include "engine/core/atomic.hpp"

namespace jamiton {

enum class KernelError : std::uint32_t {
    not_finite = 1,  // a position or speed is no number; id: vehicle
    no_room = 2      // an array is too small for who enters; id: vehicle
};

// A view of one word of memory that host and kernels share.
struct ErrorWord {
    std::uint64_t* word = nullptr;

    static constexpr std::uint64_t none = ~std::uint64_t{0};
    HD void set(KernelError code, std::uint32_t id) const {
        atomic_min(word, (std::uint64_t{static_cast<std::uint32_t>(code)} << 32) | id);
    }
};

}  // namespace jamiton
