// Common parts of attention's GPU kernels. A block of four warps owns some queries (or keys) of one
// head. It reads the other side in tiles of thirty-two rows in shared memory. A block owns sixteen
// rows, or fewer if heads are too wide for the GPU's shared memory, and each warp has a quarter of
// them. The lanes of a warp are the thirty-two rows of the tile, and later the elements of a head.
// Each sum has a fixed order and there are no atomics, so results are reproducible.
#pragma once

#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstdio>

#include "kernels/attention/attention_launch.h"
#include "kernels/attention/attention_shared_memory.h"
#include "kernels/philox_dropout/keep_rule.h"

namespace rethink::attention_tiles {

inline constexpr int kWarps = 4, kThreads = 32 * kWarps;
inline constexpr unsigned kAllLanes = 0xffffffffu;

inline __device__ float to_float(float value) {
  return value;
}
inline __device__ float to_float(__nv_bfloat16 value) {
  return __bfloat162float(value);
}
inline __device__ void from_float(float value, float* to) {
  *to = value;
}
inline __device__ void from_float(float value, __nv_bfloat16* to) {
  *to = __float2bfloat16(value);
}

inline __device__ float warp_sum(float value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(kAllLanes, value, step);
  return value;
}

inline __device__ float warp_max(float value) {
  for (int step = 16; step > 0; step /= 2)
    value = fmaxf(value, __shfl_xor_sync(kAllLanes, value, step));
  return value;
}

/// One head of a tensor.
template <typename T>
struct Rows {
  T* data;
  int64_t stride;
  __device__ Rows(const DeviceTensor& tensor, const AttentionSizes& sizes, int64_t head)
      : data(static_cast<T*>(tensor.data) + head / sizes.heads * tensor.batch +
             head % sizes.heads * tensor.head),
        stride(tensor.token) {}
};

/// Position of a block's rows among all rows of one side.
struct Part {
  int64_t first;  // first row of the block
  int64_t end;    // number of all rows
  int width;
};

/// Copies `count` rows from `part.first` to shared memory, with zeros behind the last row.
template <typename T>
__device__ void load_rows(float* to, const Rows<T>& from, const Part& part, int count) {
  const int stride = row_stride(part.width);
  for (int i = threadIdx.x; i < count * part.width; i += kThreads) {
    const int row = i / part.width, element = i % part.width;
    const bool inside = part.first + row < part.end;
    to[row * stride + element] =
        inside ? to_float(from.data[(part.first + row) * from.stride + element]) : 0.0f;
  }
}

template <typename T>
__device__ void store_rows(const Rows<T>& to, const float* from, const Part& part, int count) {
  const int stride = row_stride(part.width);
  for (int i = threadIdx.x; i < count * part.width; i += kThreads) {
    const int row = i / part.width, element = i % part.width;
    if (part.first + row < part.end)
      from_float(from[row * stride + element], &to.data[(part.first + row) * to.stride + element]);
  }
}

inline __device__ void clear_rows(float* rows, int width, int count) {
  for (int i = threadIdx.x; i < count * row_stride(width); i += kThreads) rows[i] = 0.0f;
}

/// Computes result[i] = owned row i of this warp times row `lane` of the tile.
template <int kPerWarp>
__device__ void products(const float* owned, const float* tile, int width,
                         float (&result)[kPerWarp]) {
  const int stride = row_stride(width), lane = threadIdx.x % 32,
            first = threadIdx.x / 32 * kPerWarp;
  for (int i = 0; i < kPerWarp; ++i) result[i] = 0.0f;
  for (int element = 0; element < width; ++element) {
    const float other = tile[lane * stride + element];
#pragma unroll
    for (int i = 0; i < kPerWarp; ++i)
      result[i] = fmaf(owned[(first + i) * stride + element], other, result[i]);
  }
}

/// Computes sums[i, :] = keep[i] * sums[i, :] + weights[i, :] times the tile, for this warp's rows.
template <int kPerWarp>
__device__ void add_products(float* sums, const float (&keep)[kPerWarp], const float* weights,
                             const float* tile, int width) {
  const int stride = row_stride(width), lane = threadIdx.x % 32,
            first = threadIdx.x / 32 * kPerWarp;
  for (int element = lane; element < width; element += 32) {
    float sum[kPerWarp];
    for (int i = 0; i < kPerWarp; ++i) sum[i] = keep[i] * sums[(first + i) * stride + element];
    for (int row = 0; row < kTile; ++row) {
      const float other = tile[row * stride + element];
#pragma unroll
      for (int i = 0; i < kPerWarp; ++i) sum[i] += weights[(first + i) * kTile + row] * other;
    }
    for (int i = 0; i < kPerWarp; ++i) sums[(first + i) * stride + element] = sum[i];
  }
}

inline unsigned blocks_of(int64_t rows, int rows_per_block) {
  return static_cast<unsigned>((rows + rows_per_block - 1) / rows_per_block);
}

/// Returns null, or CUDA's error message.
inline const char* message(cudaError_t status) {
  return status == cudaSuccess ? nullptr : cudaGetErrorString(status);
}

template <typename Launch>
using Kernel = void (*)(Launch);

/// Returns null, or CUDA's error message.
template <typename Launch>
const char* start(Kernel<Launch> kernel, const Launch& launch, dim3 grid, size_t bytes) {
  const cudaError_t allowed =
      cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                           cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  if (allowed != cudaSuccess) return message(allowed);
  kernel<<<grid, kThreads, bytes, static_cast<cudaStream_t>(launch.sizes.stream)>>>(launch);
  return message(cudaGetLastError());
}

/// Returns the most shared memory that a block may have on the current GPU [bytes].
inline int64_t shared_memory_limit() {
  int device = 0, bytes = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return 0;
  if (cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) !=
      cudaSuccess)
    return 0;
  return bytes;
}

/// A kernel, compiled for each number of rows that a block may own.
template <typename Launch>
struct KernelOfRows {
  KernelMemory memory;
  Kernel<Launch> kernels[3];  // in the order of kOwnedRows
};

/// Starts the kernel with the most owned rows that fit into the GPU's shared memory. `grid` returns
/// the grid for a number of owned rows. Returns null, or an error message that is valid until the
/// thread's next call.
template <typename Launch, typename Grid>
const char* start_fitting(const KernelOfRows<Launch>& of_rows, const Launch& launch,
                          const Grid& grid) {
  const int width = launch.sizes.width;
  const int64_t limit = shared_memory_limit();
  const int owned = rows_that_fit(width, of_rows.memory, limit);
  for (int i = 0; i < 3; ++i) {
    if (kOwnedRows[i] != owned) continue;
    const auto bytes = static_cast<size_t>(shared_bytes(width, of_rows.memory, owned));
    return start(of_rows.kernels[i], launch, grid(owned), bytes);
  }
  thread_local char text[160];
  std::snprintf(text, sizeof text,
                "heads of width %d need %lld bytes of shared memory in a block, this GPU has %lld; "
                "take more heads, or --device cpu",
                width, static_cast<long long>(shared_bytes(width, of_rows.memory, kOwnedRows[2])),
                static_cast<long long>(limit));
  return text;
}

// Visible keys of a query, with their scores and dropout.

/// Computes dropout's bits of queries [query, query + queries) and keys [key, key + keys): `bits`
/// [queries, keys]. Does nothing without dropout.
inline __device__ void fill_bits(uint16_t* bits, const AttentionSizes& sizes, int64_t head,
                                 int64_t query, int queries, int64_t key, int keys) {
  if (sizes.keep_threshold == 0) return;
  // Fewer than kKeepColumns keys are a part of one block.
  const int own = keys < kKeepColumns ? keys : kKeepColumns, blocks = keys / own;
  for (int i = threadIdx.x; i < queries * blocks; i += kThreads) {
    const int64_t first = key + i % blocks * own;
    const uint64_t row = static_cast<uint64_t>(head * sizes.queries + query + i / blocks);
    const uint64_t counter = row * keep_blocks(sizes.keys) + first / kKeepColumns;
    const PhiloxBlock block = philox(sizes.key, counter);
    for (int column = 0; column < own; ++column) {
      bits[i * own + column] =
          static_cast<uint16_t>(keep_bits(block, static_cast<int>(first % kKeepColumns) + column));
    }
  }
}

/// Returns dropout's factor of the weight with the bits at `bits`. Without dropout the bits are not
/// set.
inline __device__ float factor_of(const AttentionSizes& sizes, const uint16_t* bits) {
  if (sizes.keep_threshold == 0) return 1.0f;
  return *bits >= sizes.keep_threshold ? sizes.keep_scale : 0.0f;
}

/// Returns whether padding, mask and causality let `query` see `key`.
inline __device__ bool allowed(const AttentionSizes& sizes, int64_t head, int64_t query,
                               int64_t key) {
  const DeviceScope& scope = sizes.scope;
  if (query >= sizes.queries || key >= sizes.keys || (sizes.causal && key > query)) return false;
  if (scope.key_keep != nullptr && scope.key_keep[head / sizes.heads * sizes.keys + key] == 0)
    return false;
  const int64_t own = head % sizes.heads;
  return scope.mask == nullptr || scope.mask[own * scope.mask_head + query * sizes.keys + key] != 0;
}

inline __device__ bool visible(const AttentionSizes& sizes, int64_t head, int64_t query,
                               int64_t key) {
  if (!allowed(sizes, head, query, key)) return false;
  if (!sizes.diagonal_masked || key != query) return true;
  for (int64_t other = 0; other < sizes.keys; ++other) {
    if (other != query && allowed(sizes, head, query, other)) return false;
  }
  return true;
}

inline __device__ float rate_of(const AttentionSizes& sizes, int64_t query, int64_t key) {
  return query == key ? sizes.diagonal_rate : 1.0f;
}

/// Returns the score of a visible key from the product of query and key.
inline __device__ float score_of(const AttentionSizes& sizes, int64_t head, int64_t query,
                                 int64_t key, float product) {
  const float score = product * sizes.scale * rate_of(sizes, query, key);
  const DeviceScope& scope = sizes.scope;
  if (scope.bias == nullptr) return score;
  return score + scope.bias[head % sizes.heads * scope.bias_head + query * sizes.keys + key];
}

/// Returns the end of the keys that `count` queries from `first` may see.
inline __device__ int64_t end_of_keys(const AttentionSizes& sizes, int64_t first, int count) {
  return sizes.causal && first + count < sizes.keys ? first + count : sizes.keys;
}

}  // namespace rethink::attention_tiles
