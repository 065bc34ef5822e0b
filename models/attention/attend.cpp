#include "models/attention/attend.h"

#include <ATen/ATen.h>

#include <cmath>
#include <limits>

#include "kernels/attention/attention.h"
#include "kernels/philox_dropout/philox_dropout.h"

namespace rethink {
namespace {

constexpr int64_t kFusedWidth = 512;  // widest head the fused operator takes

bool keeps_maps(const AttentionCall& call) {
  return call.record != nullptr && call.record->keep_maps;
}

/// Returns the largest visible score, float []; -inf if no key is visible.
at::Tensor largest_visible(const at::Tensor& scores, const AttentionOptions& options) {
  const at::Tensor seen = visible_keys(scores.size(2), scores.size(3), scores.device(), options);
  return scores.masked_fill(seen.logical_not(), -std::numeric_limits<float>::infinity()).amax();
}

/// Returns the values weighted after dropout. Records the weights if requested.
at::Tensor weighed(const AttentionCall& call, const at::Tensor& weights, const at::Tensor& value,
                   const AttendOptions& options, PhiloxKey random) {
  if (options.record && keeps_maps(call)) {
    call.record->maps.push_back(weights);
    call.record->values.push_back(value);
  }
  return at::matmul(philox_dropout(weights, options.dropout, random), value);
}

}  // namespace

at::Tensor attend(const AttentionCall& call, const at::Tensor& query, const at::Tensor& key,
                  const at::Tensor& value, const AttendOptions& options, PhiloxKey random) {
  const double usual_scale = 1.0 / std::sqrt(static_cast<double>(query.size(3)));
  const AttentionOptions full{.scale = options.scale.value_or(usual_scale),
                              .causal = call.causal,
                              .query_offset = call.query_offset,
                              .diagonal_rate = options.diagonal_rate,
                              .diagonal_masked = options.diagonal_masked,
                              .dropout = options.dropout,
                              .random = random,
                              .key_keep = call.key_keep,
                              .mask = options.mask,
                              .bias = options.bias,
                              .bias_is_exact = options.bias_is_exact};
  const bool maps = keeps_maps(call);
  if (!maps && !options.factor.defined() && call.query_offset == 0 && query.size(3) <= kFusedWidth)
    return attention(query, key, value, full);
  if (maps && options.record)
    call.record->largest_scores.push_back(
        largest_visible(attention_scores(query, key, full), full));
  at::Tensor weights_BHQK = attention_weights(query, key, full);
  if (options.factor.defined()) weights_BHQK = weights_BHQK * options.factor;
  return weighed(call, weights_BHQK, value, options, random);
}

at::Tensor attend_by_scores(const AttentionCall& call, const at::Tensor& scores,
                            const at::Tensor& value, double dropout, PhiloxKey random) {
  if (keeps_maps(call))
    call.record->largest_scores.push_back(largest_visible(scores, visibility_of(call)));
  const at::Tensor weights_BHQK =
      visible_softmax(scores, visibility_of(call)).to(value.scalar_type());
  return attend_by_weights(call, weights_BHQK, value, dropout, random);
}

at::Tensor attend_by_weights(const AttentionCall& call, const at::Tensor& weights,
                             const at::Tensor& value, double dropout, PhiloxKey random) {
  return weighed(call, weights, value, {.dropout = dropout}, random);
}

AttentionOptions visibility_of(const AttentionCall& call) {
  return {.causal = call.causal, .query_offset = call.query_offset, .key_keep = call.key_keep};
}

PhiloxKey derived(PhiloxKey key, uint64_t n) {
  const PhiloxBlock block = philox(key, ~n);  // counters of dropout start at 0 and never get there
  return {(static_cast<uint64_t>(block.word[1]) << 32) | block.word[0],
          (static_cast<uint64_t>(block.word[3]) << 32) | block.word[2]};
}

}  // namespace rethink
