// Dropout on a GPU. Each thread computes one Philox block, for eight neighbouring columns.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include "kernels/philox_dropout/keep_rule.h"
#include "kernels/philox_dropout/philox_dropout_launch.h"

namespace rethink {
namespace {

constexpr int kThreads = 256;

__device__ float scaled(float value, float factor) {
  return value * factor;
}
__device__ __nv_bfloat16 scaled(__nv_bfloat16 value, float factor) {
  return __float2bfloat16(__bfloat162float(value) * factor);
}

template <typename T>
__global__ void __launch_bounds__(kThreads) drop_kernel(PhiloxDropoutLaunch launch) {
  const int64_t blocks = static_cast<int64_t>(keep_blocks(launch.columns));
  const int64_t counter = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (counter >= launch.rows * blocks) return;
  const int64_t row = counter / blocks, first = counter % blocks * kKeepColumns;
  const PhiloxBlock block = philox(launch.key, static_cast<uint64_t>(counter));
  const T* input = static_cast<const T*>(launch.input) + row * launch.columns;
  T* output = static_cast<T*>(launch.output) + row * launch.columns;
  for (int i = 0; i < kKeepColumns && first + i < launch.columns; ++i) {
    output[first + i] =
        scaled(input[first + i], keep_bits(block, i) >= launch.threshold ? launch.scale : 0.0f);
  }
}

}  // namespace

const char* launch_philox_dropout(const PhiloxDropoutLaunch& launch) {
  const int64_t blocks = launch.rows * static_cast<int64_t>(keep_blocks(launch.columns));
  const dim3 grid(static_cast<unsigned>((blocks + kThreads - 1) / kThreads));
  const auto stream = static_cast<cudaStream_t>(launch.stream);
  if (launch.bfloat16) {
    drop_kernel<__nv_bfloat16><<<grid, kThreads, 0, stream>>>(launch);
  } else {
    drop_kernel<float><<<grid, kThreads, 0, stream>>>(launch);
  }
  const cudaError_t status = cudaGetLastError();
  return status == cudaSuccess ? nullptr : cudaGetErrorString(status);
}

}  // namespace rethink
