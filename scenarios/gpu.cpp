#include "scenarios/gpu.hpp"

#include "engine/core/check.hpp"

namespace jamiton {

#if defined(__CUDACC__)

std::string describe_gpus() {
    // Without a driver the count may stay unwritten: any failure means none.
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) return "none found, the CPU does the work";
    std::string found;
    for (int device = 0; device < count; ++device) {
        cudaDeviceProp gpu;
        if (cudaGetDeviceProperties(&gpu, device) != cudaSuccess) continue;
        found += text(gpu.name, " (sm_", gpu.major, gpu.minor, ", ", gpu.totalGlobalMem >> 30, " GiB), ");
    }
    int driver = 0;
    cudaDriverGetVersion(&driver);
    return text(found, "driver for CUDA ", driver / 1000, ".", driver % 1000 / 10);
}

#else

std::string describe_gpus() { return "not in this build (preset cuda)"; }

#endif

}  // namespace jamiton
