// Where arrays live: host memory, or memory that host and device share once a device has been chosen.
#pragma once

#include <cstddef>

namespace jamiton {

// Makes later allocations reachable from kernels. Called once, before the first array; only where a device was found.
void share_memory_with_device();

// 64-byte aligned, not initialised. Zero bytes give nullptr. Throws std::bad_alloc when there is no more.
void* allocate(std::size_t bytes);
void release(void* memory) noexcept;

}  // namespace jamiton
