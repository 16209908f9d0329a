#include "engine/core/parallel.hpp"

#include <stdexcept>
#include <string>

#if defined(__CUDACC__)
#include <cub/device/device_scan.cuh>

#include "engine/core/array.hpp"
#endif

namespace jamiton {

#if defined(__CUDACC__)
void check_launch() {
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(error));
}

bool cuda_available() {
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

void synchronize(const Exec& exec) {
    if (exec.kind != Exec::cuda) return;
    const cudaError_t error = cudaStreamSynchronize(static_cast<cudaStream_t>(exec.stream));
    if (error != cudaSuccess) throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(error));
}

static void device_scan(const Exec& exec, int n, const int* in, int* out) {
    static Array<char> scratch;
    std::size_t bytes = 0;
    const auto stream = static_cast<cudaStream_t>(exec.stream);
    cub::DeviceScan::ExclusiveSum(nullptr, bytes, in, out, n + 1, stream);
    if (bytes > scratch.size()) scratch.resize(bytes);
    cub::DeviceScan::ExclusiveSum(scratch.data(), bytes, in, out, n + 1, stream);
    check_launch();
}
#else
bool cuda_available() { return false; }
void synchronize(const Exec&) {}
#endif

void exclusive_scan([[maybe_unused]] const Exec& exec, int n, const int* in, int* out) {
#if defined(__CUDACC__)
    if (exec.kind == Exec::cuda) return device_scan(exec, n, in, out);
#endif
    std::uint32_t sum = 0;
    for (int i = 0; i < n; ++i) {
        const auto value = static_cast<std::uint32_t>(in[i]);
        out[i] = static_cast<int>(sum);
        sum += value;
    }
    out[n] = static_cast<int>(sum);
}

}  // namespace jamiton
