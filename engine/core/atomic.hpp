// Order-free updates of one memory location by many threads: minimum, sum, exchange.
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>

#include "engine/core/hd.hpp"

namespace jamiton {

// Lowers *target to value if value is smaller. The final result does not depend on the order of callers.
template <class T>
HD void atomic_min(T* target, T value) {
    static_assert(std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::uint64_t>);
#if defined(__CUDA_ARCH__)
    if constexpr (sizeof(T) == 4) {
        atomicMin(target, value);
    } else {
        atomicMin(reinterpret_cast<unsigned long long*>(target), static_cast<unsigned long long>(value));
    }
#else
    std::atomic_ref<T> ref(*target);
    T seen = ref.load(std::memory_order_relaxed);
    while (value < seen && !ref.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {}
#endif
}

// Adds and returns the value before.
HD inline int atomic_add(int* target, int value) {
#if defined(__CUDA_ARCH__)
    return atomicAdd(target, value);
#else
    return std::atomic_ref<int>(*target).fetch_add(value, std::memory_order_relaxed);
#endif
}

HD inline void atomic_add(std::int64_t* target, std::int64_t value) {
#if defined(__CUDA_ARCH__)
    atomicAdd(reinterpret_cast<unsigned long long*>(target), static_cast<unsigned long long>(value));
#else
    std::atomic_ref<std::int64_t>(*target).fetch_add(value, std::memory_order_relaxed);
#endif
}

// Stores value and returns the one before.
HD inline int atomic_exchange(int* target, int value) {
#if defined(__CUDA_ARCH__)
    return atomicExch(target, value);
#else
    return std::atomic_ref<int>(*target).exchange(value, std::memory_order_relaxed);
#endif
}

}  // namespace jamiton
