// Forward pass of attention on a GPU: one pass over the keys with running maxima and sums.
#include "kernels/attention/attention_tiles.cuh"

namespace rethink {
namespace {

using namespace attention_tiles;

template <typename T, int kOwned>
__global__ void __launch_bounds__(kThreads) forward_kernel(AttentionForwardLaunch launch) {
  constexpr int kPerWarp = kOwned / kWarps;
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
  clear_rows(sums, sizes.width, kOwned);
  float most[kPerWarp], total[kPerWarp], score[kPerWarp], keep[kPerWarp];
  for (int i = 0; i < kPerWarp; ++i) most[i] = -INFINITY, total[i] = 0.0f;
  for (int64_t start = 0; start < end_of_keys(sizes, first, kOwned); start += kTile) {
    const Part other{start, sizes.keys, sizes.width};
    __syncthreads();
    load_rows(tile, key, other, kTile);
    fill_bits(bits, sizes, head, first, kOwned, start, kTile);
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
      const int cell = (own + i) * kTile + lane;
      weights[cell] = weight * factor_of(sizes, bits + cell);
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
  store_rows(Rows<T>(launch.output, sizes, head), sums, owned, kOwned);
}

template <typename T>
const char* forward(const AttentionForwardLaunch& launch) {
  const AttentionSizes& sizes = launch.sizes;
  return start_fitting<AttentionForwardLaunch>(
      {kForwardMemory, {forward_kernel<T, 16>, forward_kernel<T, 8>, forward_kernel<T, 4>}}, launch,
      [&](int owned) {
        return dim3(static_cast<unsigned>(sizes.batch * sizes.heads),
                    blocks_of(sizes.queries, owned));
      });
}

}  // namespace

const char* launch_attention_forward(const AttentionForwardLaunch& launch) {
  return launch.sizes.bfloat16 ? forward<__nv_bfloat16>(launch) : forward<float>(launch);
}

}  // namespace rethink
