#include "models/attention/attend.h"

#include <ATen/ATen.h>

#include <cmath>

#include "kernels/causal_attention/causal_attention.h"
#include "kernels/philox_dropout/philox_dropout.h"

namespace rethink {
namespace {

constexpr int64_t kFusedWidth = 512;  // widest head the fused operator takes

bool fits_fused(const AttentionCall& call, const at::Tensor& query, const at::Tensor& key) {
  const bool maps = call.record != nullptr && call.record->keep_maps;
  return call.causal && call.query_offset == 0 && !call.key_keep.defined() && !maps &&
         query.size(2) == key.size(2) && query.size(3) <= kFusedWidth;
}

/// bool [Q,K]: the key is the query's own token.
at::Tensor own_token(const AttentionCall& call, int64_t queries, int64_t keys) {
  const auto integers = call.query_input.options().dtype(at::kLong);
  const at::Tensor query_position = at::arange(queries, integers) + call.query_offset;
  return query_position.unsqueeze(1) == at::arange(keys, integers).unsqueeze(0);
}

/// bool [1|B,1,Q,K]: what a query may see, before the diagonal mask.
at::Tensor visible_keys(const AttentionCall& call, int64_t queries, int64_t keys) {
  at::Tensor visible = at::ones({1, 1, queries, keys}, call.query_input.options().dtype(at::kBool));
  if (call.causal) visible = visible.tril(call.query_offset);
  if (call.key_keep.defined()) visible = visible.logical_and(call.key_keep.view({-1, 1, 1, keys}));
  return visible;
}

/// float [B,H,Q,K]: rows sum to 1, or to 0 where nothing is visible.
at::Tensor plain_weights(const AttentionCall& call, const at::Tensor& query, const at::Tensor& key,
                         const AttendOptions& options) {
  const int64_t queries = query.size(2), keys = key.size(2);
  at::Tensor scores_BHQK =
      at::matmul(query, key.transpose(2, 3)) / std::sqrt(static_cast<double>(query.size(3)));
  at::Tensor visible = visible_keys(call, queries, keys);
  if (options.diagonal_rate != 1.0) {
    const at::Tensor own = own_token(call, queries, keys);
    scores_BHQK = at::where(own, scores_BHQK * options.diagonal_rate, scores_BHQK);
  }
  if (options.diagonal_masked) {
    const at::Tensor others = visible.logical_and(own_token(call, queries, keys).logical_not());
    visible = at::where(others.any(-1, /*keepdim=*/true), others, visible);
  }
  const at::Tensor hidden = visible.logical_not();
  // Far below any score, but not -inf: a row with nothing visible must not turn into NaN in either
  // direction.
  return scores_BHQK.masked_fill(hidden, -1e30).softmax(-1).masked_fill(hidden, 0.0);
}

}  // namespace

at::Tensor attend(const AttentionCall& call, const at::Tensor& query, const at::Tensor& key,
                  const at::Tensor& value, const AttendOptions& options, PhiloxKey random) {
  if (fits_fused(call, query, key)) {
    CausalAttentionOptions fused;
    fused.scale = 1.0 / std::sqrt(static_cast<double>(query.size(3)));
    fused.diagonal_rate = options.diagonal_rate;
    fused.diagonal_masked = options.diagonal_masked;
    fused.dropout = options.dropout;
    fused.seed = random.seed;
    fused.offset = random.stream;
    return causal_attention(query, key, value, fused);
  }
  const at::Tensor weights_BHQK = plain_weights(call, query, key, options);
  if (call.record != nullptr && call.record->keep_maps && options.record) {
    call.record->maps.push_back(weights_BHQK);
    call.record->values.push_back(value);
  }
  return at::matmul(philox_dropout(weights_BHQK, options.dropout, random), value);
}

PhiloxKey derived(PhiloxKey key, uint64_t n) {
  const PhiloxBlock block = philox(key, ~n);  // counters of dropout start at 0 and never get there
  return {(static_cast<uint64_t>(block.word[1]) << 32) | block.word[0],
          (static_cast<uint64_t>(block.word[3]) << 32) | block.word[2]};
}

}  // namespace rethink
