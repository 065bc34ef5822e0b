// Attention on a GPU: a block of four warps owns sixteen queries (or keys) of one head and
// walks over the other side in tiles of thirty-two that lie in shared memory. A warp owns four of
// the sixteen; its lanes are the thirty-two, and later the elements of a head. Every sum has one
// order, there are no atomics: results repeat.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include "kernels/attention/attention_launch.h"
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
  __device__ Rows(const DeviceTensor& tensor, const AttentionSizes& sizes, int64_t head)
      : data(static_cast<T*>(tensor.data) + head / sizes.heads * tensor.batch +
             head % sizes.heads * tensor.head),
        stride(tensor.token) {}
};

/// Odd, so that the same element of neighbouring rows lies in different banks.
__host__ __device__ int row_stride(int width) {
  return width | 1;
}

/// Where a block's rows lie among all of one side.
struct Part {
  int64_t first;  // row
  int64_t end;    // of all rows
  int width;
};

/// `count` rows from `part.first` into shared memory, zeros past the end.
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
__device__ void store_rows(const Rows<T>& to, const float* from, const Part& part) {
  const int stride = row_stride(part.width);
  for (int i = threadIdx.x; i < kOwned * part.width; i += kThreads) {
    const int row = i / part.width, element = i % part.width;
    if (part.first + row < part.end)
      from_float(from[row * stride + element], &to.data[(part.first + row) * to.stride + element]);
  }
}

__device__ void clear_rows(float* rows, int width) {
  for (int i = threadIdx.x; i < kOwned * row_stride(width); i += kThreads) rows[i] = 0.0f;
}

/// Dropout's bits of queries [query, query + queries) and keys [key, key + keys): `bits` [queries,
/// keys].
__device__ void fill_bits(uint16_t* bits, const AttentionSizes& sizes, int64_t head, int64_t query,
                          int queries, int64_t key, int keys) {
  const int blocks = keys / kKeepColumns;
  for (int i = threadIdx.x; i < queries * blocks; i += kThreads) {
    const uint64_t row = static_cast<uint64_t>(head * sizes.queries + query + i / blocks);
    const uint64_t counter = row * keep_blocks(sizes.keys) + key / kKeepColumns + i % blocks;
    const PhiloxBlock block = philox(sizes.key, counter);
    for (int column = 0; column < kKeepColumns; ++column) {
      bits[i * kKeepColumns + column] = static_cast<uint16_t>(keep_bits(block, column));
    }
  }
}

__device__ float factor_of(const AttentionSizes& sizes, uint16_t bits) {
  return bits >= sizes.keep_threshold ? sizes.keep_scale : 0.0f;
}

/// Whether padding, mask and causality let `query` see `key`.
__device__ bool allowed(const AttentionSizes& sizes, int64_t head, int64_t query, int64_t key) {
  const DeviceScope& scope = sizes.scope;
  if (query >= sizes.queries || key >= sizes.keys || (sizes.causal && key > query)) return false;
  if (scope.key_keep != nullptr && scope.key_keep[head / sizes.heads * sizes.keys + key] == 0)
    return false;
  const int64_t own = head % sizes.heads;
  return scope.mask == nullptr || scope.mask[own * scope.mask_head + query * sizes.keys + key] != 0;
}

__device__ bool visible(const AttentionSizes& sizes, int64_t head, int64_t query, int64_t key) {
  if (!allowed(sizes, head, query, key)) return false;
  if (!sizes.diagonal_masked || key != query) return true;
  for (int64_t other = 0; other < sizes.keys; ++other) {
    if (other != query && allowed(sizes, head, query, other)) return false;
  }
  return true;
}

__device__ float rate_of(const AttentionSizes& sizes, int64_t query, int64_t key) {
  return query == key ? sizes.diagonal_rate : 1.0f;
}

/// Of a visible key, from the product of query and key.
__device__ float score_of(const AttentionSizes& sizes, int64_t head, int64_t query, int64_t key,
                          float product) {
  const float score = product * sizes.scale * rate_of(sizes, query, key);
  const DeviceScope& scope = sizes.scope;
  if (scope.bias == nullptr) return score;
  return score + scope.bias[head % sizes.heads * scope.bias_head + query * sizes.keys + key];
}

/// The end of the keys that queries from `first` may see.
__device__ int64_t end_of_keys(const AttentionSizes& sizes, int64_t first) {
  return sizes.causal && first + kOwned < sizes.keys ? first + kOwned : sizes.keys;
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
__global__ void __launch_bounds__(kThreads) forward_kernel(AttentionForwardLaunch launch) {
  extern __shared__ float shared[];
  const AttentionSizes& sizes = launch.sizes;
  const int stride = row_stride(sizes.width), lane = threadIdx.x % 32,
            own = threadIdx.x / 32 * kPerWarp;
  float* queries = shared;
  float* sums = queries + kOwned * stride;
  float* tile = sums + kOwned * stride;
  float* weights = tile + kTile * stride;  // [kOwned, kTile]
  uint16_t* bits = reinterpret_cast<uint16_t*>(weights + kOwned * kTile);
  const int64_t head = blockIdx.x, first = static_cast<int64_t>(blockIdx.y) * kOwned;
  const Rows<T> key(launch.key, sizes, head), value(launch.value, sizes, head);
  const Part owned{first, sizes.queries, sizes.width};
  load_rows(queries, Rows<T>(launch.query, sizes, head), owned, kOwned);
  clear_rows(sums, sizes.width);
  float most[kPerWarp], total[kPerWarp], score[kPerWarp], keep[kPerWarp];
  for (int i = 0; i < kPerWarp; ++i) most[i] = -INFINITY, total[i] = 0.0f;
  for (int64_t start = 0; start < end_of_keys(sizes, first); start += kTile) {
    const Part other{start, sizes.keys, sizes.width};
    __syncthreads();
    load_rows(tile, key, other, kTile);
    if (sizes.keep_threshold > 0) fill_bits(bits, sizes, head, first, kOwned, start, kTile);
    __syncthreads();
    products(queries, tile, sizes.width, score);
    for (int i = 0; i < kPerWarp; ++i) {
      const int64_t query = first + own + i, at = start + lane;
      const bool seen = visible(sizes, head, query, at);
      const float logit = seen ? score_of(sizes, head, query, at, score[i]) : -INFINITY;
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
    load_rows(tile, value, other, kTile);
    __syncthreads();
    add_products(sums, keep, weights, tile, sizes.width);
  }
  for (int i = 0; i < kPerWarp; ++i) {
    if (first + own + i >= sizes.queries) continue;
    const float factor = total[i] == 0.0f ? 0.0f : 1.0f / total[i];
    for (int element = lane; element < sizes.width; element += 32)
      sums[(own + i) * stride + element] *= factor;
    if (lane == 0) {
      float* row = launch.statistics + 2 * (head * sizes.queries + first + own + i);
      row[0] = most[i];
      row[1] = factor;
    }
  }
  __syncthreads();
  store_rows(Rows<T>(launch.output, sizes, head), sums, owned);
}

/// weighted[query] = output . output_grad: one warp per query.
template <typename T>
__global__ void __launch_bounds__(kThreads) weighted_kernel(AttentionBackwardLaunch launch) {
  const AttentionSizes& sizes = launch.sizes;
  const int64_t head = blockIdx.x,
                query = static_cast<int64_t>(blockIdx.y) * kWarps + threadIdx.x / 32;
  if (query >= sizes.queries) return;
  const Rows<T> output(launch.output, sizes, head), grad(launch.output_grad, sizes, head);
  float sum = 0.0f;
  for (int element = threadIdx.x % 32; element < sizes.width; element += 32) {
    sum += to_float(output.data[query * output.stride + element]) *
           to_float(grad.data[query * grad.stride + element]);
  }
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) launch.weighted[head * sizes.queries + query] = sum;
}

struct Pair {
  float weight, grad;  // of one score: after dropout, and of the finished score
};

/// From the product of query and key, the product of value and output_grad, and dropout's bits.
__device__ Pair pair_of(const AttentionBackwardLaunch& launch, int64_t head, int64_t query,
                        int64_t key, float2 products, uint16_t bits) {
  const AttentionSizes& sizes = launch.sizes;
  if (!visible(sizes, head, query, key)) return {0.0f, 0.0f};
  const int64_t row = head * sizes.queries + query;
  const float* statistics = launch.statistics + 2 * row;
  const float score = score_of(sizes, head, query, key, products.x);
  const float weight = expf(score - statistics[0]) * statistics[1];
  const float factor = sizes.keep_threshold > 0 ? factor_of(sizes, bits) : 1.0f;
  return {weight * factor, weight * (products.y * factor - launch.weighted[row])};
}

template <typename T>
__global__ void __launch_bounds__(kThreads) query_grad_kernel(AttentionBackwardLaunch launch) {
  extern __shared__ float shared[];
  const AttentionSizes& sizes = launch.sizes;
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
  const Part owned{first, sizes.queries, sizes.width};
  load_rows(queries, Rows<T>(launch.query, sizes, head), owned, kOwned);
  load_rows(upstream, Rows<T>(launch.output_grad, sizes, head), owned, kOwned);
  clear_rows(sums, sizes.width);
  const float keep[kPerWarp] = {1.0f, 1.0f, 1.0f, 1.0f};
  float score[kPerWarp], product[kPerWarp];
  for (int64_t start = 0; start < end_of_keys(sizes, first); start += kTile) {
    const Part other{start, sizes.keys, sizes.width};
    __syncthreads();
    load_rows(tile, value, other, kTile);
    if (sizes.keep_threshold > 0) fill_bits(bits, sizes, head, first, kOwned, start, kTile);
    __syncthreads();
    products(upstream, tile, sizes.width, product);
    __syncthreads();
    load_rows(tile, key, other, kTile);
    __syncthreads();
    products(queries, tile, sizes.width, score);
    for (int i = 0; i < kPerWarp; ++i) {
      const int at = (own + i) * kTile + lane;
      const int64_t query = first + own + i, other_key = start + lane;
      const Pair pair = pair_of(launch, head, query, other_key, {score[i], product[i]}, bits[at]);
      grads[at] = pair.grad * rate_of(sizes, query, other_key) * sizes.scale;
    }
    __syncwarp();
    add_products(sums, keep, grads, tile, sizes.width);
  }
  __syncthreads();
  store_rows(Rows<T>(launch.query_grad, sizes, head), sums, owned);
}

template <typename T>
__global__ void __launch_bounds__(kThreads) key_grad_kernel(AttentionBackwardLaunch launch) {
  extern __shared__ float shared[];
  const AttentionSizes& sizes = launch.sizes;
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
  const Part owned{first, sizes.keys, sizes.width};
  load_rows(keys, Rows<T>(launch.key, sizes, head), owned, kOwned);
  load_rows(values, Rows<T>(launch.value, sizes, head), owned, kOwned);
  clear_rows(key_sums, sizes.width);
  clear_rows(value_sums, sizes.width);
  const float keep[kPerWarp] = {1.0f, 1.0f, 1.0f, 1.0f};
  float score[kPerWarp], product[kPerWarp];
  const int64_t from = sizes.causal ? first / kTile * kTile : 0;
  for (int64_t start = from; start < sizes.queries; start += kTile) {
    const Part other{start, sizes.queries, sizes.width};
    __syncthreads();
    load_rows(tile, upstream, other, kTile);
    if (sizes.keep_threshold > 0) fill_bits(bits, sizes, head, start, kTile, first, kOwned);
    __syncthreads();
    products(values, tile, sizes.width, product);
    __syncthreads();
    load_rows(tile, query, other, kTile);
    __syncthreads();
    products(keys, tile, sizes.width, score);
    for (int i = 0; i < kPerWarp; ++i) {
      const int64_t other_query = start + lane, own_key = first + own + i;
      const Pair pair = pair_of(launch, head, other_query, own_key, {score[i], product[i]},
                                bits[lane * kOwned + own + i]);
      weights[(own + i) * kTile + lane] = pair.weight;
      grads[(own + i) * kTile + lane] =
          pair.grad * rate_of(sizes, other_query, own_key) * sizes.scale;
    }
    __syncwarp();
    add_products(key_sums, keep, grads, tile, sizes.width);
    __syncthreads();
    load_rows(tile, upstream, other, kTile);
    __syncthreads();
    add_products(value_sums, keep, weights, tile, sizes.width);
  }
  __syncthreads();
  store_rows(Rows<T>(launch.key_grad, sizes, head), key_sums, owned);
  store_rows(Rows<T>(launch.value_grad, sizes, head), value_sums, owned);
}

/// Blocks: heads h, sixteen queries, thirty-two keys. Each adds up what the rows of the batch give,
/// in order.
template <typename T>
__global__ void __launch_bounds__(kThreads) bias_grad_kernel(AttentionBackwardLaunch launch) {
  extern __shared__ float shared[];
  const AttentionSizes& sizes = launch.sizes;
  const int stride = row_stride(sizes.width), lane = threadIdx.x % 32,
            own = threadIdx.x / 32 * kPerWarp;
  float* rows = shared;
  float* tile = rows + kOwned * stride;
  uint16_t* bits = reinterpret_cast<uint16_t*>(tile + kTile * stride);
  const int64_t start = static_cast<int64_t>(blockIdx.z) * kTile,
                first = static_cast<int64_t>(blockIdx.y) * kOwned;
  const Part owned{first, sizes.queries, sizes.width}, other{start, sizes.keys, sizes.width};
  float sum[kPerWarp] = {}, score[kPerWarp], product[kPerWarp];
  for (int64_t head = blockIdx.x; head < sizes.batch * sizes.heads; head += sizes.heads) {
    __syncthreads();
    load_rows(rows, Rows<T>(launch.output_grad, sizes, head), owned, kOwned);
    load_rows(tile, Rows<T>(launch.value, sizes, head), other, kTile);
    if (sizes.keep_threshold > 0) fill_bits(bits, sizes, head, first, kOwned, start, kTile);
    __syncthreads();
    products(rows, tile, sizes.width, product);
    __syncthreads();
    load_rows(rows, Rows<T>(launch.query, sizes, head), owned, kOwned);
    load_rows(tile, Rows<T>(launch.key, sizes, head), other, kTile);
    __syncthreads();
    products(rows, tile, sizes.width, score);
    for (int i = 0; i < kPerWarp; ++i) {
      sum[i] += pair_of(launch, head, first + own + i, start + lane, {score[i], product[i]},
                        bits[(own + i) * kTile + lane])
                    .grad;
    }
  }
  for (int i = 0; i < kPerWarp; ++i) {
    const int64_t query = first + own + i, key = start + lane;
    if (query < sizes.queries && key < sizes.keys)
      launch.bias_grad[(blockIdx.x * sizes.queries + query) * sizes.keys + key] = sum[i];
  }
}

/// Shared memory of `owned` sets of sixteen rows, one tile, `squares` of weights and the dropout
/// bits [bytes].
size_t shared_bytes(int width, int owned, int squares) {
  const size_t rows =
      static_cast<size_t>(owned * kOwned + kTile) * row_stride(width) * sizeof(float);
  return rows + kOwned * kTile * (squares * sizeof(float) + sizeof(uint16_t));
}

unsigned blocks_of(int64_t rows, int rows_per_block) {
  return static_cast<unsigned>((rows + rows_per_block - 1) / rows_per_block);
}

template <typename Launch>
cudaError_t start(void (*kernel)(Launch), const Launch& launch, dim3 grid, size_t bytes) {
  const cudaError_t allowed =
      cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                           cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  if (allowed != cudaSuccess) return allowed;
  kernel<<<grid, kThreads, bytes, static_cast<cudaStream_t>(launch.sizes.stream)>>>(launch);
  return cudaGetLastError();
}

template <typename T>
cudaError_t forward(const AttentionForwardLaunch& launch) {
  const AttentionSizes& sizes = launch.sizes;
  const dim3 grid(static_cast<unsigned>(sizes.batch * sizes.heads),
                  blocks_of(sizes.queries, kOwned));
  return start(forward_kernel<T>, launch, grid, shared_bytes(sizes.width, 2, 1));
}

template <typename T>
cudaError_t backward(const AttentionBackwardLaunch& launch) {
  const AttentionSizes& sizes = launch.sizes;
  const int width = sizes.width;
  const auto heads = static_cast<unsigned>(sizes.batch * sizes.heads);
  const unsigned queries = blocks_of(sizes.queries, kOwned), keys = blocks_of(sizes.keys, kOwned);
  cudaError_t status =
      start(weighted_kernel<T>, launch, {heads, blocks_of(sizes.queries, kWarps)}, 0);
  if (status == cudaSuccess)
    status = start(query_grad_kernel<T>, launch, {heads, queries}, shared_bytes(width, 3, 1));
  if (status == cudaSuccess)
    status = start(key_grad_kernel<T>, launch, {heads, keys}, shared_bytes(width, 4, 2));
  if (status == cudaSuccess && launch.bias_grad != nullptr) {
    const dim3 grid(static_cast<unsigned>(sizes.heads), queries, blocks_of(sizes.keys, kTile));
    status = start(bias_grad_kernel<T>, launch, grid, shared_bytes(width, 1, 0));
  }
  return status;
}

const char* message(cudaError_t status) {
  return status == cudaSuccess ? nullptr : cudaGetErrorString(status);
}

}  // namespace

const char* launch_attention_forward(const AttentionForwardLaunch& launch) {
  return message(launch.sizes.bfloat16 ? forward<__nv_bfloat16>(launch) : forward<float>(launch));
}

const char* launch_attention_backward(const AttentionBackwardLaunch& launch) {
  return message(launch.sizes.bfloat16 ? backward<__nv_bfloat16>(launch) : backward<float>(launch));
}

}  // namespace rethink
