// Uniform numbers on a GPU. Each thread computes one Philox block, for four neighbouring numbers.
#include <cuda_runtime.h>

#include "kernels/philox_uniform/open_uniform.h"
#include "kernels/philox_uniform/philox_uniform_launch.h"

namespace rethink {
namespace {

constexpr int kThreads = 256;

__global__ void __launch_bounds__(kThreads) uniform_kernel(PhiloxUniformLaunch launch) {
  const int64_t block = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  const int64_t first = block * kUniformsOfBlock;
  if (first >= launch.count) return;
  const PhiloxBlock random = philox(launch.key, static_cast<uint64_t>(block));
  for (int i = 0; i < kUniformsOfBlock && first + i < launch.count; ++i)
    launch.output[first + i] = open_uniform(random.word[i]);
}

}  // namespace

const char* launch_philox_uniform(const PhiloxUniformLaunch& launch) {
  const int64_t blocks = (launch.count + kUniformsOfBlock - 1) / kUniformsOfBlock;
  const dim3 grid(static_cast<unsigned>((blocks + kThreads - 1) / kThreads));
  uniform_kernel<<<grid, kThreads, 0, static_cast<cudaStream_t>(launch.stream)>>>(launch);
  const cudaError_t status = cudaGetLastError();
  return status == cudaSuccess ? nullptr : cudaGetErrorString(status);
}

}  // namespace rethink
