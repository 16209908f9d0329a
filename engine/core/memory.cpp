#include "engine/core/memory.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

#if defined(__CUDACC__)
#include <cuda_runtime.h>
#endif

namespace jamiton {
namespace {
// Vehicles read all over the arrays: with pages of 4 KiB half of the time would go into finding them.
constexpr std::size_t huge_page = std::size_t{2} << 20;
bool shared = false;
}  // namespace

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
    const bool large = bytes >= huge_page / 2;
    const std::size_t unit = large ? huge_page : 64, size = (bytes + unit - 1) / unit * unit;
    memory = std::aligned_alloc(unit, size);
    if (!memory) throw std::bad_alloc();
    if (large) madvise(memory, size, MADV_HUGEPAGE);  // only a wish: without it the run is slower
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
