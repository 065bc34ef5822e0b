// Backward pass of attention on a GPU. Computes the weights again from the scores and the
// statistics of the forward pass.
#include "kernels/attention/attention_tiles.cuh"

namespace rethink {
namespace {

using namespace attention_tiles;

/// Computes weighted[query] = output . output_grad, with one thread per query and the order of
/// products(). If a query sees one key, the gradient of its score is then the difference of two
/// equal numbers, exactly 0.
template <typename T>
__global__ void __launch_bounds__(kThreads) weighted_kernel(AttentionBackwardLaunch launch) {
  const AttentionSizes& sizes = launch.sizes;
  const int64_t head = blockIdx.x,
                query = static_cast<int64_t>(blockIdx.y) * kThreads + threadIdx.x;
  if (query >= sizes.queries) return;
  const Rows<T> output(launch.output, sizes, head), grad(launch.output_grad, sizes, head);
  float sum = 0.0f;
  for (int element = 0; element < sizes.width; ++element) {
    sum = fmaf(to_float(output.data[query * output.stride + element]),
               to_float(grad.data[query * grad.stride + element]), sum);
  }
  launch.weighted[head * sizes.queries + query] = sum;
}

struct Pair {
  float weight, grad;  // a score's weight after dropout, and the gradient of the final score
};

/// Returns both from the product of query and key, the product of value and output_grad, and the
/// dropout's bits.
__device__ Pair pair_of(const AttentionBackwardLaunch& launch, int64_t head, int64_t query,
                        int64_t key, float2 products, const uint16_t* bits) {
  const AttentionSizes& sizes = launch.sizes;
  if (!visible(sizes, head, query, key)) return {0.0f, 0.0f};
  const int64_t row = head * sizes.queries + query;
  const float* statistics = launch.statistics + 2 * row;
  const float score = score_of(sizes, head, query, key, products.x);
  const float weight = expf(score - statistics[0]) * statistics[1];
  const float factor = factor_of(sizes, bits);
  return {weight * factor, weight * (products.y * factor - launch.weighted[row])};
}

template <typename T, int kOwned>
__global__ void __launch_bounds__(kThreads) query_grad_kernel(AttentionBackwardLaunch launch) {
  constexpr int kPerWarp = kOwned / kWarps;
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
  clear_rows(sums, sizes.width, kOwned);
  float keep[kPerWarp];
  for (int i = 0; i < kPerWarp; ++i) keep[i] = 1.0f;
  float score[kPerWarp], product[kPerWarp];
  for (int64_t start = 0; start < end_of_keys(sizes, first, kOwned); start += kTile) {
    const Part other{start, sizes.keys, sizes.width};
    __syncthreads();
    load_rows(tile, value, other, kTile);
    fill_bits(bits, sizes, head, first, kOwned, start, kTile);
    __syncthreads();
    products(upstream, tile, sizes.width, product);
    __syncthreads();
    load_rows(tile, key, other, kTile);
    __syncthreads();
    products(queries, tile, sizes.width, score);
    for (int i = 0; i < kPerWarp; ++i) {
      const int at = (own + i) * kTile + lane;
      const int64_t query = first + own + i, other_key = start + lane;
      const Pair pair = pair_of(launch, head, query, other_key, {score[i], product[i]}, bits + at);
      grads[at] = pair.grad * rate_of(sizes, query, other_key) * sizes.scale;
    }
    __syncwarp();
    add_products(sums, keep, grads, tile, sizes.width);
  }
  __syncthreads();
  store_rows(Rows<T>(launch.query_grad, sizes, head), sums, owned, kOwned);
}

template <typename T, int kOwned>
__global__ void __launch_bounds__(kThreads) key_grad_kernel(AttentionBackwardLaunch launch) {
  constexpr int kPerWarp = kOwned / kWarps;
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
  clear_rows(key_sums, sizes.width, kOwned);
  clear_rows(value_sums, sizes.width, kOwned);
  float keep[kPerWarp];
  for (int i = 0; i < kPerWarp; ++i) keep[i] = 1.0f;
  float score[kPerWarp], product[kPerWarp];
  const int64_t from = sizes.causal ? first / kTile * kTile : 0;
  for (int64_t start = from; start < sizes.queries; start += kTile) {
    const Part other{start, sizes.queries, sizes.width};
    __syncthreads();
    load_rows(tile, upstream, other, kTile);
    fill_bits(bits, sizes, head, start, kTile, first, kOwned);
    __syncthreads();
    products(values, tile, sizes.width, product);
    __syncthreads();
    load_rows(tile, query, other, kTile);
    __syncthreads();
    products(keys, tile, sizes.width, score);
    for (int i = 0; i < kPerWarp; ++i) {
      const int64_t other_query = start + lane, own_key = first + own + i;
      const Pair pair = pair_of(launch, head, other_query, own_key, {score[i], product[i]},
                                bits + lane * kOwned + own + i);
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
  store_rows(Rows<T>(launch.key_grad, sizes, head), key_sums, owned, kOwned);
  store_rows(Rows<T>(launch.value_grad, sizes, head), value_sums, owned, kOwned);
}

/// Each block has one head h, kOwned queries and kTile keys. It sums over the rows of the batch, in
/// order.
template <typename T, int kOwned>
__global__ void __launch_bounds__(kThreads) bias_grad_kernel(AttentionBackwardLaunch launch) {
  constexpr int kPerWarp = kOwned / kWarps;
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
    fill_bits(bits, sizes, head, first, kOwned, start, kTile);
    __syncthreads();
    products(rows, tile, sizes.width, product);
    __syncthreads();
    load_rows(rows, Rows<T>(launch.query, sizes, head), owned, kOwned);
    load_rows(tile, Rows<T>(launch.key, sizes, head), other, kTile);
    __syncthreads();
    products(rows, tile, sizes.width, score);
    for (int i = 0; i < kPerWarp; ++i) {
      sum[i] += pair_of(launch, head, first + own + i, start + lane, {score[i], product[i]},
                        bits + (own + i) * kTile + lane)
                    .grad;
    }
  }
  for (int i = 0; i < kPerWarp; ++i) {
    const int64_t query = first + own + i, key = start + lane;
    if (query < sizes.queries && key < sizes.keys)
      launch.bias_grad[(blockIdx.x * sizes.queries + query) * sizes.keys + key] = sum[i];
  }
}

template <typename T>
const char* backward(const AttentionBackwardLaunch& launch) {
  using Launch = AttentionBackwardLaunch;
  const AttentionSizes& sizes = launch.sizes;
  const auto heads = static_cast<unsigned>(sizes.batch * sizes.heads);
  const char* problem =
      start<Launch>(weighted_kernel<T>, launch, {heads, blocks_of(sizes.queries, kThreads)}, 0);
  if (problem == nullptr)
    problem = start_fitting<Launch>(
        {kQueryGradMemory,
         {query_grad_kernel<T, 16>, query_grad_kernel<T, 8>, query_grad_kernel<T, 4>}},
        launch, [&](int owned) { return dim3(heads, blocks_of(sizes.queries, owned)); });
  if (problem == nullptr)
    problem = start_fitting<Launch>(
        {kKeyGradMemory, {key_grad_kernel<T, 16>, key_grad_kernel<T, 8>, key_grad_kernel<T, 4>}},
        launch, [&](int owned) { return dim3(heads, blocks_of(sizes.keys, owned)); });
  if (problem == nullptr && launch.bias_grad != nullptr)
    problem = start_fitting<Launch>(
        {kBiasGradMemory,
         {bias_grad_kernel<T, 16>, bias_grad_kernel<T, 8>, bias_grad_kernel<T, 4>}},
        launch, [&](int owned) {
          return dim3(static_cast<unsigned>(sizes.heads), blocks_of(sizes.queries, owned),
                      blocks_of(sizes.keys, kTile));
        });
  return problem;
}

}  // namespace

const char* launch_attention_backward(const AttentionBackwardLaunch& launch) {
  return launch.sizes.bfloat16 ? backward<__nv_bfloat16>(launch) : backward<float>(launch);
}

}  // namespace rethink
