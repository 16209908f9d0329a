// The only place that knows how a loop runs: host threads or CUDA.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/core/atomic.hpp"
#include "engine/core/hd.hpp"
#include "engine/core/thread_pool.hpp"

#if defined(__CUDACC__)
#include <cuda_runtime.h>
#endif

namespace jamiton {

// Where kernels run. One per simulation; `threads` outlives it.
struct Exec {
    enum Kind { host, cuda } kind = host;
    ThreadPool* threads = nullptr;
    void* stream = nullptr;
    mutable std::uint64_t launches = 0;  // loops started so far
};

// True when a CUDA device can be used by this build on this machine; never throws.
bool cuda_available();
// Waits for the device and throws std::runtime_error with CUDA's message if anything failed since the last call.
void synchronize(const Exec& exec);

#if defined(__CUDACC__)
void check_launch();

template <class Kernel>
__global__ void run_kernel(int n, Kernel kernel) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) kernel(i);
}
#endif

// Calls kernel(i) for 0 <= i < n, in any order and at the same time. `grain`: the fewest iterations worth a host
// thread.
template <class Kernel>
void parallel_for(const Exec& exec, int n, const Kernel& kernel, int grain = 2048) {
    if (n <= 0) return;
    ++exec.launches;
#if defined(__CUDACC__)
    if (exec.kind == Exec::cuda) {
        run_kernel<<<(n + 255) / 256, 256, 0, static_cast<cudaStream_t>(exec.stream)>>>(n, kernel);
        return check_launch();
    }
#endif
    exec.threads->for_each_chunk(n, grain, [&kernel](int begin, int end) {
        for (int i = begin; i < end; ++i) kernel(i);
    });
}

// Integer sums over all i, the same in any order.
struct Sums {
    static constexpr int size = 4;
    std::int64_t value[size] = {};
    HD Sums& operator+=(const Sums& other) {
        for (int k = 0; k < size; ++k)
            value[k] = static_cast<std::int64_t>(static_cast<std::uint64_t>(value[k]) +
                                                 static_cast<std::uint64_t>(other.value[k]));
        return *this;
    }
};

#if defined(__CUDACC__)
template <class Kernel>
struct AddSums {
    Kernel kernel;
    Sums* total;
    HD void operator()(int i) const {
        const Sums s = kernel(i);
        for (int k = 0; k < Sums::size; ++k) atomic_add(&total->value[k], s.value[k]);
    }
};
#endif

// *total = kernel(0) + ... + kernel(n - 1); kernel returns Sums. total must be reachable from the device.
template <class Kernel>
void sum_over(const Exec& exec, int n, const Kernel& kernel, Sums* total) {
    *total = {};
    ++exec.launches;
#if defined(__CUDACC__)
    if (exec.kind == Exec::cuda) return parallel_for(exec, n, AddSums<Kernel>{kernel, total});
#endif
    exec.threads->for_each_chunk(n, 4096, [&kernel, total](int begin, int end) {
        Sums part;
        for (int i = begin; i < end; ++i) part += kernel(i);
        for (int k = 0; k < Sums::size; ++k) atomic_add(&total->value[k], part.value[k]);
    });
}

// out[i] = in[0] + ... + in[i - 1] modulo 2^32 for 0 <= i <= n: out has n + 1 elements. in and out may be the same
// array.
void exclusive_scan(const Exec& exec, int n, const int* in, int* out);

}  // namespace jamiton
