// Which keys a query sees on a GPU, and the scores and dropout of those that it sees.
#pragma once

#include "kernels/attention/attention_tiles.cuh"
#include "kernels/philox_dropout/keep_rule.h"

namespace rethink::attention_tiles {

/// Dropout's bits of queries [query, query + queries) and keys [key, key + keys): `bits` [queries,
/// keys].
inline __device__ void fill_bits(uint16_t* bits, const AttentionSizes& sizes, int64_t head,
                                 int64_t query, int queries, int64_t key, int keys) {
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

inline __device__ float factor_of(const AttentionSizes& sizes, uint16_t bits) {
  return bits >= sizes.keep_threshold ? sizes.keep_scale : 0.0f;
}

/// Whether padding, mask and causality let `query` see `key`.
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

/// Of a visible key, from the product of query and key.
inline __device__ float score_of(const AttentionSizes& sizes, int64_t head, int64_t query,
                                 int64_t key, float product) {
  const float score = product * sizes.scale * rate_of(sizes, query, key);
  const DeviceScope& scope = sizes.scope;
  if (scope.bias == nullptr) return score;
  return score + scope.bias[head % sizes.heads * scope.bias_head + query * sizes.keys + key];
}

/// The end of the keys that queries from `first` may see.
inline __device__ int64_t end_of_keys(const AttentionSizes& sizes, int64_t first) {
  return sizes.causal && first + kOwned < sizes.keys ? first + kOwned : sizes.keys;
}

}  // namespace rethink::attention_tiles
