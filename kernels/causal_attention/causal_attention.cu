// Causal attention on a GPU: a block of four warps owns sixteen queries (or keys) of one head and
// walks over the other side in tiles of thirty-two that lie in shared memory. A warp owns four of
// the sixteen; its lanes are the thirty-two, and later the elements of a head. Every sum has one
// order, there are no atomics: results repeat.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include "kernels/causal_attention/causal_attention_launch.h"
#include "kernels/philox_dropout/keep.h"

namespace rethink {
namespace {

constexpr int kWarps = 4, kThreads = 32 * kWarps;
constexpr int kOwned = 16, kTile = 32, kPerWarp = kOwned / kWarps;
constexpr unsigned kAllLanes = 0xffffffffu;

__device__ float to_float(float value) {
  return value;
}
__device__ float to_float(__nv_bfloat16 value) {
  return __bfloat162float(value);
}
__device__ void from_float(float value, float* to) {
  *to = value;
}
__device__ void from_float(float value, __nv_bfloat16* to) {
  *to = __float2bfloat16(value);
}

__device__ float warp_sum(float value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(kAllLanes, value, step);
  return value;
}

__device__ float warp_max(float value) {
  for (int step = 16; step > 0; step /= 2)
    value = fmaxf(value, __shfl_xor_sync(kAllLanes, value, step));
  return value;
}

/// One head of a tensor.
template <typename T>
struct Rows {
  T* data;
  int64_t stride;
  __device__ Rows(const DeviceTensor& tensor, const CausalAttentionSizes& sizes, int64_t head)
      : data(static_cast<T*>(tensor.data) + head / sizes.heads * tensor.batch +
             head % sizes.heads * tensor.head),
        stride(tensor.token) {}
};

/// Odd, so that the same element of neighbouring rows lies in different banks.
__host__ __device__ int row_stride(int width) {
  return width | 1;
}

/// Rows [first, first + count) into shared memory, zeros past the last token.
template <typename T>
__device__ void load_rows(float* to, const Rows<T>& from, const CausalAttentionSizes& sizes,
                          int64_t first, int count) {
  const int stride = row_stride(sizes.width);
  for (int i = threadIdx.x; i < count * sizes.width; i += kThreads) {
    const int row = i / sizes.width, element = i % sizes.width;
    const bool inside = first + row < sizes.tokens;
    to[row * stride + element] =
        inside ? to_float(from.data[(first + row) * from.stride + element]) : 0.0f;
  }
}

template <typename T>
__device__ void store_rows(const Rows<T>& to, const float* from, const CausalAttentionSizes& sizes,
                           int64_t first) {
  const int stride = row_stride(sizes.width);
  for (int i = threadIdx.x; i < kOwned * sizes.width; i += kThreads) {
    const int row = i / sizes.width, element = i % sizes.width;
    if (first + row < sizes.tokens)
      from_float(from[row * stride + element], &to.data[(first + row) * to.stride + element]);
  }
}

__device__ void clear_rows(float* rows, int width) {
  for (int i = threadIdx.x; i < kOwned * row_stride(width); i += kThreads) rows[i] = 0.0f;
}

/// Dropout's bits of queries [query, query + queries) and keys [key, key + keys): `bits` [queries,
/// keys].
__device__ void fill_bits(uint16_t* bits, const CausalAttentionSizes& sizes, int64_t head,
                          int64_t query, int queries, int64_t key, int keys) {
  const int blocks = keys / kKeepColumns;
  for (int i = threadIdx.x; i < queries * blocks; i += kThreads) {
    const uint64_t row = static_cast<uint64_t>(head * sizes.tokens + query + i / blocks);
    const uint64_t counter = row * keep_blocks(sizes.tokens) + key / kKeepColumns + i % blocks;
    const PhiloxBlock block = philox(sizes.key, counter);
    for (int column = 0; column < kKeepColumns; ++column) {
      bits[i * kKeepColumns + column] = static_cast<uint16_t>(keep_bits(block, column));
    }
  }
}

__device__ float factor_of(const CausalAttentionSizes& sizes, uint16_t bits) {
  return bits >= sizes.keep_threshold ? sizes.keep_scale : 0.0f;
}

__device__ bool visible(const CausalAttentionSizes& sizes, int64_t query, int64_t key) {
  return query < sizes.tokens && key <= query &&
         !(sizes.diagonal_masked && key == query && query > 0);
}

__device__ float rate_of(const CausalAttentionSizes& sizes, int64_t query, int64_t key) {
  return query == key ? sizes.diagonal_rate : 1.0f;
}

/// result[i] = owned row i of this warp times row `lane` of the tile.
__device__ void products(const float* owned, const float* tile, int width, float* result) {
  const int stride = row_stride(width), lane = threadIdx.x % 32,
            first = threadIdx.x / 32 * kPerWarp;
  for (int i = 0; i < kPerWarp; ++i) result[i] = 0.0f;
  for (int element = 0; element < width; ++element) {
    const float other = tile[lane * stride + element];
#pragma unroll
    for (int i = 0; i < kPerWarp; ++i) result[i] += owned[(first + i) * stride + element] * other;
  }
}

/// sums[i, :] = keep[i] * sums[i, :] + weights[i, :] times the tile, for this warp's rows.
__device__ void add_products(float* sums, const float* keep, const float* weights,
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

template <typename T>
__global__ void __launch_bounds__(kThreads) forward_kernel(CausalAttentionForwardLaunch launch) {
  extern __shared__ float shared[];
  const CausalAttentionSizes& sizes = launch.sizes;
  const int stride = row_stride(sizes.width), lane = threadIdx.x % 32,
            own = threadIdx.x / 32 * kPerWarp;
  float* queries = shared;
  float* sums = queries + kOwned * stride;
  float* tile = sums + kOwned * stride;
  float* weights = tile + kTile * stride;  // [kOwned, kTile]
  uint16_t* bits = reinterpret_cast<uint16_t*>(weights + kOwned * kTile);
  const int64_t head = blockIdx.x, first = static_cast<int64_t>(blockIdx.y) * kOwned;
  const Rows<T> key(launch.key, sizes, head), value(launch.value, sizes, head);
  load_rows(queries, Rows<T>(launch.query, sizes, head), sizes, first, kOwned);
  clear_rows(sums, sizes.width);
  float most[kPerWarp], total[kPerWarp], score[kPerWarp], keep[kPerWarp];
  for (int i = 0; i < kPerWarp; ++i) most[i] = -INFINITY, total[i] = 0.0f;
  for (int64_t start = 0; start < first + kOwned && start < sizes.tokens; start += kTile) {
    __syncthreads();
    load_rows(tile, key, sizes, start, kTile);
    if (sizes.keep_threshold > 0) fill_bits(bits, sizes, head, first, kOwned, start, kTile);
    __syncthreads();
    products(queries, tile, sizes.width, score);
    for (int i = 0; i < kPerWarp; ++i) {
      const int64_t query = first + own + i, at = start + lane;
      const bool seen = visible(sizes, query, at);
      const float logit = seen ? score[i] * sizes.scale * rate_of(sizes, query, at) : -INFINITY;
      const float highest = fmaxf(most[i], warp_max(logit));
      keep[i] = highest == -INFINITY ? 0.0f : expf(most[i] - highest);
      const float weight = seen ? expf(logit - highest) : 0.0f;
      total[i] = total[i] * keep[i] + warp_sum(weight);
      most[i] = highest;
      const float factor =
          sizes.keep_threshold > 0 ? factor_of(sizes, bits[(own + i) * kTile + lane]) : 1.0f;
      weights[(own + i) * kTile + lane] = weight * factor;
    }
    __syncthreads();
    load_rows(tile, value, sizes, start, kTile);
    __syncthreads();
    add_products(sums, keep, weights, tile, sizes.width);
  }
  for (int i = 0; i < kPerWarp; ++i) {
    if (first + own + i >= sizes.tokens) continue;
    for (int element = lane; element < sizes.width; element += 32)
      sums[(own + i) * stride + element] /= total[i];
    if (lane == 0)
      launch.logsumexp[head * sizes.tokens + first + own + i] = most[i] + logf(total[i]);
  }
  __syncthreads();
  store_rows(Rows<T>(launch.output, sizes, head), sums, sizes, first);
}

/// weighted[query] = output . output_grad: one warp per query.
template <typename T>
__global__ void __launch_bounds__(kThreads) weighted_kernel(CausalAttentionBackwardLaunch launch) {
  const CausalAttentionSizes& sizes = launch.sizes;
  const int64_t head = blockIdx.x,
                query = static_cast<int64_t>(blockIdx.y) * kWarps + threadIdx.x / 32;
  if (query >= sizes.tokens) return;
  const Rows<T> output(launch.output, sizes, head), grad(launch.output_grad, sizes, head);
  float sum = 0.0f;
  for (int element = threadIdx.x % 32; element < sizes.width; element += 32) {
    sum += to_float(output.data[query * output.stride + element]) *
           to_float(grad.data[query * grad.stride + element]);
  }
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) launch.weighted[head * sizes.tokens + query] = sum;
}

struct Pair {
  float weight, grad;  // of one score: after dropout, and of the score before `scale`
};

/// From a score, the product of value and output_grad, and dropout's bits.
__device__ Pair pair_of(const CausalAttentionBackwardLaunch& launch, int64_t head, int64_t query,
                        int64_t key, float score, float product, uint16_t bits) {
  const CausalAttentionSizes& sizes = launch.sizes;
  if (!visible(sizes, query, key)) return {0.0f, 0.0f};
  const float rate = rate_of(sizes, query, key);
  const int64_t row = head * sizes.tokens + query;
  const float weight = expf(score * sizes.scale * rate - launch.logsumexp[row]);
  const float factor = sizes.keep_threshold > 0 ? factor_of(sizes, bits) : 1.0f;
  return {weight * factor, weight * (product * factor - launch.weighted[row]) * rate * sizes.scale};
}

template <typename T>
__global__ void __launch_bounds__(kThreads)
    query_grad_kernel(CausalAttentionBackwardLaunch launch) {
  extern __shared__ float shared[];
  const CausalAttentionSizes& sizes = launch.sizes;
  const int stride = row_stride(sizes.width), lane = threadIdx.x % 32,
            own = threadIdx.x / 32 * kPerWarp;
  float* queries = shared;
  float* upstream = queries + kOwned * stride;
  float* sums = upstream + kOwned * stride;
  float* tile = sums + kOwned * stride;
  float* grads = tile + kTile * stride;  // [kOwned, kTile]
  uint16_t* bits = reinterpret_cast<uint16_t*>(grads + kOwned * kTile);
  const int64_t head = blockIdx.x, first = static_cast<int64_t>(blockIdx.y) * kOwned;
  const Rows<T> key(launch.key, sizes, head), value(launch.value, sizes, head);
  load_rows(queries, Rows<T>(launch.query, sizes, head), sizes, first, kOwned);
  load_rows(upstream, Rows<T>(launch.output_grad, sizes, head), sizes, first, kOwned);
  clear_rows(sums, sizes.width);
  const float keep[kPerWarp] = {1.0f, 1.0f, 1.0f, 1.0f};
  float score[kPerWarp], product[kPerWarp];
  for (int64_t start = 0; start < first + kOwned && start < sizes.tokens; start += kTile) {
    __syncthreads();
    load_rows(tile, value, sizes, start, kTile);
    if (sizes.keep_threshold > 0) fill_bits(bits, sizes, head, first, kOwned, start, kTile);
    __syncthreads();
    products(upstream, tile, sizes.width, product);
    __syncthreads();
    load_rows(tile, key, sizes, start, kTile);
    __syncthreads();
    products(queries, tile, sizes.width, score);
    for (int i = 0; i < kPerWarp; ++i) {
      const int at = (own + i) * kTile + lane;
      grads[at] =
          pair_of(launch, head, first + own + i, start + lane, score[i], product[i], bits[at]).grad;
    }
    __syncwarp();
    add_products(sums, keep, grads, tile, sizes.width);
  }
  __syncthreads();
  store_rows(Rows<T>(launch.query_grad, sizes, head), sums, sizes, first);
}

template <typename T>
__global__ void __launch_bounds__(kThreads) key_grad_kernel(CausalAttentionBackwardLaunch launch) {
  extern __shared__ float shared[];
  const CausalAttentionSizes& sizes = launch.sizes;
  const int stride = row_stride(sizes.width), lane = threadIdx.x % 32,
            own = threadIdx.x / 32 * kPerWarp;
  float* keys = shared;
  float* values = keys + kOwned * stride;
  float* key_sums = values + kOwned * stride;
  float* value_sums = key_sums + kOwned * stride;
  float* tile = value_sums + kOwned * stride;
  float* weights = tile + kTile * stride;                                // [kOwned, kTile]
  float* grads = weights + kOwned * kTile;                               // [kOwned, kTile]
  uint16_t* bits = reinterpret_cast<uint16_t*>(grads + kOwned * kTile);  // [kTile, kOwned]
  const int64_t head = blockIdx.x, first = static_cast<int64_t>(blockIdx.y) * kOwned;
  const Rows<T> query(launch.query, sizes, head), upstream(launch.output_grad, sizes, head);
  load_rows(keys, Rows<T>(launch.key, sizes, head), sizes, first, kOwned);
  load_rows(values, Rows<T>(launch.value, sizes, head), sizes, first, kOwned);
  clear_rows(key_sums, sizes.width);
  clear_rows(value_sums, sizes.width);
  const float keep[kPerWarp] = {1.0f, 1.0f, 1.0f, 1.0f};
  float score[kPerWarp], product[kPerWarp];
  for (int64_t start = first / kTile * kTile; start < sizes.tokens; start += kTile) {
    __syncthreads();
    load_rows(tile, upstream, sizes, start, kTile);
    if (sizes.keep_threshold > 0) fill_bits(bits, sizes, head, start, kTile, first, kOwned);
    __syncthreads();
    products(values, tile, sizes.width, product);
    __syncthreads();
    load_rows(tile, query, sizes, start, kTile);
    __syncthreads();
    products(keys, tile, sizes.width, score);
    for (int i = 0; i < kPerWarp; ++i) {
      const Pair pair = pair_of(launch, head, start + lane, first + own + i, score[i], product[i],
                                bits[lane * kOwned + own + i]);
      weights[(own + i) * kTile + lane] = pair.weight;
      grads[(own + i) * kTile + lane] = pair.grad;
    }
    __syncwarp();
    add_products(key_sums, keep, grads, tile, sizes.width);
    __syncthreads();
    load_rows(tile, upstream, sizes, start, kTile);
    __syncthreads();
    add_products(value_sums, keep, weights, tile, sizes.width);
  }
  __syncthreads();
  store_rows(Rows<T>(launch.key_grad, sizes, head), key_sums, sizes, first);
  store_rows(Rows<T>(launch.value_grad, sizes, head), value_sums, sizes, first);
}

/// Shared memory of `owned` sets of sixteen rows, one tile, `squares` of weights and the dropout
/// bits [bytes].
size_t shared_bytes(int width, int owned, int squares) {
  const size_t rows =
      static_cast<size_t>(owned * kOwned + kTile) * row_stride(width) * sizeof(float);
  return rows + kOwned * kTile * (squares * sizeof(float) + sizeof(uint16_t));
}

template <typename Launch>
cudaError_t start(void (*kernel)(Launch), const Launch& launch, int rows_per_block, size_t bytes) {
  const CausalAttentionSizes& sizes = launch.sizes;
  const cudaError_t allowed =
      cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                           cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  if (allowed != cudaSuccess) return allowed;
  const dim3 grid(static_cast<unsigned>(sizes.batch * sizes.heads),
                  static_cast<unsigned>((sizes.tokens + rows_per_block - 1) / rows_per_block));
  kernel<<<grid, kThreads, bytes, static_cast<cudaStream_t>(sizes.stream)>>>(launch);
  return cudaGetLastError();
}

template <typename T>
cudaError_t backward(const CausalAttentionBackwardLaunch& launch) {
  const int width = launch.sizes.width;
  cudaError_t status = start(weighted_kernel<T>, launch, kWarps, 0);
  if (status == cudaSuccess)
    status = start(query_grad_kernel<T>, launch, kOwned, shared_bytes(width, 3, 1));
  if (status == cudaSuccess)
    status = start(key_grad_kernel<T>, launch, kOwned, shared_bytes(width, 4, 2));
  return status;
}

const char* message(cudaError_t status) {
  return status == cudaSuccess ? nullptr : cudaGetErrorString(status);
}

}  // namespace

const char* launch_causal_attention_forward(const CausalAttentionForwardLaunch& launch) {
  const size_t bytes = shared_bytes(launch.sizes.width, 2, 1);
  return message(launch.sizes.bfloat16 ? start(forward_kernel<__nv_bfloat16>, launch, kOwned, bytes)
                                       : start(forward_kernel<float>, launch, kOwned, bytes));
}

const char* launch_causal_attention_backward(const CausalAttentionBackwardLaunch& launch) {
  return message(launch.sizes.bfloat16 ? backward<__nv_bfloat16>(launch) : backward<float>(launch));
}

}  // namespace rethink
