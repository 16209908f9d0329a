#include "engine/core/memory.hpp"

#include <cstdlib>
#include <new>

#if defined(__CUDACC__)
#include <cuda_runtime.h>
#endif

namespace jamiton {
namespace {
bool shared = false;
}

void share_memory_with_device() { shared = true; }

void* allocate(std::size_t bytes) {
    if (bytes == 0) return nullptr;
    void* memory = nullptr;
#if defined(__CUDACC__)
    if (shared) {
        if (cudaMallocManaged(&memory, bytes) != cudaSuccess) throw std::bad_alloc();
        return memory;
    }
#endif
    memory = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!memory) throw std::bad_alloc();
    return memory;
}

void release(void* memory) noexcept {
#if defined(__CUDACC__)
    if (shared && memory) {
        cudaFree(memory);
        return;
    }
#endif
    std::free(memory);
}

}  // namespace jamiton
