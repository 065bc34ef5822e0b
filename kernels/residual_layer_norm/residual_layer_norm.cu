// Bias, dropout, residual and LayerNorm on a GPU. A block computes one row at a time. Each thread owns
// chunks of eight neighbouring columns, for which one Philox block decides on dropout, and keeps
// them in registers, so that every number is read and written once.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include "kernels/philox_dropout/keep_rule.h"
#include "kernels/residual_layer_norm/residual_layer_norm_launch.h"

namespace rethink {
namespace {

constexpr int kMostThreads = 256, kThreadsOfWarp = 32;
constexpr int kPacket = 4;  // columns read or written at once

template <typename T>
struct alignas(kPacket * sizeof(T)) Packet {
  T value[kPacket];
};

__device__ float as_float(float value) {
  return value;
}
__device__ float as_float(__nv_bfloat16 value) {
  return __bfloat162float(value);
}
__device__ void assign(float& to, float value) {
  to = value;
}
__device__ void assign(__nv_bfloat16& to, float value) {
  to = __float2bfloat16(value);
}

/// Returns columns [first, first + 8) of a row, with zeros behind its end.
template <typename T>
__device__ void load_chunk(const NormLaunch& shape, const T* row, int64_t first,
                           float (&values)[kKeepColumns]) {
  for (int part = 0; part < kKeepColumns; part += kPacket) {
    const int64_t column = first + part;
    if (shape.in_packets && column < shape.columns) {
      const Packet<T> packet = *reinterpret_cast<const Packet<T>*>(row + column);
      for (int i = 0; i < kPacket; ++i) values[part + i] = as_float(packet.value[i]);
      continue;
    }
    for (int i = 0; i < kPacket; ++i)
      values[part + i] = column + i < shape.columns ? as_float(row[column + i]) : 0.0f;
  }
}

template <typename T>
__device__ void store_chunk(const NormLaunch& shape, T* row, int64_t first,
                            const float (&values)[kKeepColumns]) {
  for (int part = 0; part < kKeepColumns; part += kPacket) {
    const int64_t column = first + part;
    if (shape.in_packets && column < shape.columns) {
      Packet<T> packet;
      for (int i = 0; i < kPacket; ++i) assign(packet.value[i], values[part + i]);
      *reinterpret_cast<Packet<T>*>(row + column) = packet;
      continue;
    }
    for (int i = 0; i < kPacket && column + i < shape.columns; ++i)
      assign(row[column + i], values[part + i]);
  }
}

/// Applies the dropout of kernels/philox_dropout to a chunk.
__device__ void drop_chunk(const NormLaunch& shape, int64_t row, int64_t first,
                           float (&values)[kKeepColumns]) {
  if (shape.threshold == 0 || first >= shape.columns) return;
  const uint64_t counter = static_cast<uint64_t>(row) * keep_blocks(shape.columns) +
                           static_cast<uint64_t>(first / kKeepColumns);
  const PhiloxBlock block = philox(shape.key, counter);
  for (int i = 0; i < kKeepColumns; ++i)
    values[i] *= keep_bits(block, i) >= shape.threshold ? shape.scale : 0.0f;
}

__device__ int64_t first_column(const NormLaunch& shape, int chunk) {
  return (static_cast<int64_t>(chunk) * shape.threads + threadIdx.x) * kKeepColumns;
}

/// Replaces each thread's numbers by their sums over the block, in the same order in every run.
/// `shared` has kSums numbers per warp.
template <int kSums>
__device__ void add_over_block(const NormLaunch& shape, float (&sums)[kSums], float* shared) {
  for (int step = kThreadsOfWarp / 2; step > 0; step /= 2) {
    for (int i = 0; i < kSums; ++i) sums[i] += __shfl_xor_sync(0xffffffffu, sums[i], step);
  }
  const int warps = shape.threads / kThreadsOfWarp;
  if (warps == 1) return;
  __syncthreads();  // all threads have read the previous sums
  if (threadIdx.x % kThreadsOfWarp == 0) {
    for (int i = 0; i < kSums; ++i) shared[threadIdx.x / kThreadsOfWarp * kSums + i] = sums[i];
  }
  __syncthreads();
  for (int i = 0; i < kSums; ++i) {
    sums[i] = 0;
    for (int warp = 0; warp < warps; ++warp) sums[i] += shared[warp * kSums + i];
  }
}

template <typename Input, int kChunks>
__global__ void __launch_bounds__(kMostThreads) forward_kernel(NormForwardLaunch launch) {
  extern __shared__ float shared[];
  const NormLaunch& shape = launch.shared;
  const auto columns = static_cast<float>(shape.columns);
  const int64_t row = blockIdx.x, begin = row * shape.columns;
  float sum[kChunks][kKeepColumns];
  float total[1] = {0};
#pragma unroll
  for (int chunk = 0; chunk < kChunks; ++chunk) {
    const int64_t first = first_column(shape, chunk);
    float residual[kKeepColumns];
    load_chunk(shape, static_cast<const Input*>(launch.input) + begin, first, sum[chunk]);
    if (launch.input_bias != nullptr) {
      float input_bias[kKeepColumns];
      load_chunk(shape, launch.input_bias, first, input_bias);
      for (int i = 0; i < kKeepColumns; ++i) sum[chunk][i] += input_bias[i];
    }
    load_chunk(shape, launch.residual + begin, first, residual);
    drop_chunk(shape, row, first, sum[chunk]);
    for (int i = 0; i < kKeepColumns; ++i) {
      sum[chunk][i] += residual[i];
      total[0] += sum[chunk][i];
    }
    store_chunk(shape, launch.sum + begin, first, sum[chunk]);
  }
  add_over_block(shape, total, shared);
  const float mean = total[0] / columns;
  float squares[1] = {0};
#pragma unroll
  for (int chunk = 0; chunk < kChunks; ++chunk) {
    const int64_t first = first_column(shape, chunk);
    for (int i = 0; i < kKeepColumns; ++i) {
      const float centred = first + i < shape.columns ? sum[chunk][i] - mean : 0.0f;
      squares[0] += centred * centred;
    }
  }
  add_over_block(shape, squares, shared);
  const float inverse = 1.0f / sqrtf(squares[0] / columns + launch.epsilon);
#pragma unroll
  for (int chunk = 0; chunk < kChunks; ++chunk) {
    const int64_t first = first_column(shape, chunk);
    float weight[kKeepColumns], output[kKeepColumns];
    load_chunk(shape, launch.weight, first, weight);
    load_chunk(shape, launch.bias, first, output);
    for (int i = 0; i < kKeepColumns; ++i)
      output[i] += (sum[chunk][i] - mean) * inverse * weight[i];
    store_chunk(shape, launch.output + begin, first, output);
    if (launch.bfloat16 != nullptr)
      store_chunk(shape, static_cast<__nv_bfloat16*>(launch.bfloat16) + begin, first, output);
  }
  if (threadIdx.x == 0) {
    launch.mean[row] = mean;
    launch.inverse[row] = inverse;
  }
}

/// Returns the sum of the gradients of the output and of its copy.
__device__ void load_upstream(const NormBackwardLaunch& launch, int64_t begin, int64_t first,
                              float (&values)[kKeepColumns]) {
  float of_copy[kKeepColumns] = {};
  for (float& value : values) value = 0;
  if (launch.grad != nullptr) load_chunk(launch.shared, launch.grad + begin, first, values);
  if (launch.bfloat16_grad != nullptr) {
    load_chunk(launch.shared, static_cast<const __nv_bfloat16*>(launch.bfloat16_grad) + begin,
               first, of_copy);
  }
  for (int i = 0; i < kKeepColumns; ++i) values[i] += of_copy[i];
}

template <typename Input, int kChunks>
__global__ void __launch_bounds__(kMostThreads) backward_kernel(NormBackwardLaunch launch) {
  extern __shared__ float shared[];
  const NormLaunch& shape = launch.shared;
  const auto columns = static_cast<float>(shape.columns);
  float weight_grad[kChunks][kKeepColumns] = {}, bias_grad[kChunks][kKeepColumns] = {};
  float input_bias_grad[kChunks][kKeepColumns] = {};
  for (int64_t row = blockIdx.x; row < shape.rows; row += launch.number_of_parts) {
    const int64_t begin = row * shape.columns;
    const float mean = launch.mean[row], inverse = launch.inverse[row];
    float grad[kChunks][kKeepColumns], normal[kChunks][kKeepColumns];
    float sums[2] = {0, 0};  // sums of grad, and of grad times normal
#pragma unroll
    for (int chunk = 0; chunk < kChunks; ++chunk) {
      const int64_t first = first_column(shape, chunk);
      float weight[kKeepColumns];
      load_upstream(launch, begin, first,
                    grad[chunk]);  // zeros behind the row's end, also in all results below
      load_chunk(shape, launch.sum + begin, first, normal[chunk]);
      load_chunk(shape, launch.weight, first, weight);
      for (int i = 0; i < kKeepColumns; ++i) {
        const float upstream = grad[chunk][i];
        normal[chunk][i] = (normal[chunk][i] - mean) * inverse;
        weight_grad[chunk][i] += upstream * normal[chunk][i];
        bias_grad[chunk][i] += upstream;
        grad[chunk][i] = upstream * weight[i];
        sums[0] += grad[chunk][i];
        sums[1] += grad[chunk][i] * normal[chunk][i];
      }
    }
    add_over_block(shape, sums, shared);
    const float mean_grad = sums[0] / columns, mean_product = sums[1] / columns;
#pragma unroll
    for (int chunk = 0; chunk < kChunks; ++chunk) {
      const int64_t first = first_column(shape, chunk);
      for (int i = 0; i < kKeepColumns; ++i)
        grad[chunk][i] = (grad[chunk][i] - mean_grad - normal[chunk][i] * mean_product) * inverse;
      store_chunk(shape, launch.residual_grad + begin, first, grad[chunk]);
      drop_chunk(shape, row, first, grad[chunk]);
      for (int i = 0; i < kKeepColumns; ++i) input_bias_grad[chunk][i] += grad[chunk][i];
      if (launch.input_grad != nullptr)
        store_chunk(shape, static_cast<Input*>(launch.input_grad) + begin, first, grad[chunk]);
    }
  }
  const int64_t vectors = launch.has_input_bias ? 3 : 2;
  float* const part = launch.parts + static_cast<int64_t>(blockIdx.x) * vectors * shape.columns;
#pragma unroll
  for (int chunk = 0; chunk < kChunks; ++chunk) {
    const int64_t first = first_column(shape, chunk);
    store_chunk(shape, part, first, weight_grad[chunk]);
    store_chunk(shape, part + shape.columns, first, bias_grad[chunk]);
    if (launch.has_input_bias)
      store_chunk(shape, part + 2 * shape.columns, first, input_bias_grad[chunk]);
  }
}

const char* problem_of_launch() {
  const cudaError_t status = cudaGetLastError();
  return status == cudaSuccess ? nullptr : cudaGetErrorString(status);
}

/// Returns the number of chunks per thread: 1, 2 or 4, with as few threads as possible.
int choose_threads(NormLaunch& shape) {
  const int64_t chunks = static_cast<int64_t>(keep_blocks(shape.columns));
  const int of_thread = chunks <= kMostThreads ? 1 : chunks <= 2 * kMostThreads ? 2 : 4;
  const int64_t threads = (chunks + of_thread - 1) / of_thread;
  shape.threads =
      static_cast<int>((threads + kThreadsOfWarp - 1) / kThreadsOfWarp) * kThreadsOfWarp;
  return of_thread;
}

template <typename Input>
void start_forward(const NormForwardLaunch& launch, int chunks) {
  const dim3 grid(static_cast<unsigned>(launch.shared.rows)),
      block(static_cast<unsigned>(launch.shared.threads));
  const size_t bytes = launch.shared.threads / kThreadsOfWarp * sizeof(float);
  const auto stream = static_cast<cudaStream_t>(launch.shared.stream);
  if (chunks == 1) {
    forward_kernel<Input, 1><<<grid, block, bytes, stream>>>(launch);
  } else if (chunks == 2) {
    forward_kernel<Input, 2><<<grid, block, bytes, stream>>>(launch);
  } else {
    forward_kernel<Input, 4><<<grid, block, bytes, stream>>>(launch);
  }
}

template <typename Input>
void start_backward(const NormBackwardLaunch& launch, int chunks) {
  const dim3 grid(static_cast<unsigned>(launch.number_of_parts)),
      block(static_cast<unsigned>(launch.shared.threads));
  const size_t bytes = launch.shared.threads / kThreadsOfWarp * 2 * sizeof(float);
  const auto stream = static_cast<cudaStream_t>(launch.shared.stream);
  if (chunks == 1) {
    backward_kernel<Input, 1><<<grid, block, bytes, stream>>>(launch);
  } else if (chunks == 2) {
    backward_kernel<Input, 2><<<grid, block, bytes, stream>>>(launch);
  } else {
    backward_kernel<Input, 4><<<grid, block, bytes, stream>>>(launch);
  }
}

}  // namespace

const char* launch_norm_forward(NormForwardLaunch launch) {
  const int chunks = choose_threads(launch.shared);
  launch.shared.input_is_bfloat16 ? start_forward<__nv_bfloat16>(launch, chunks)
                                  : start_forward<float>(launch, chunks);
  return problem_of_launch();
}

const char* launch_norm_backward(NormBackwardLaunch launch) {
  const int chunks = choose_threads(launch.shared);
  launch.shared.input_is_bfloat16 ? start_backward<__nv_bfloat16>(launch, chunks)
                                  : start_backward<float>(launch, chunks);
  return problem_of_launch();
}

}  // namespace rethink
