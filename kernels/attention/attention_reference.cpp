#include <ATen/ATen.h>

#include "kernels/attention/attention.h"
#include "kernels/philox_dropout/philox_dropout.h"

namespace rethink {
namespace {

/// bool [Q,K]: the key is the query's own token.
at::Tensor own_token(int64_t queries, int64_t keys, int64_t offset, at::Device device) {
  const auto integers = at::TensorOptions(at::kLong).device(device);
  return (at::arange(queries, integers) + offset).unsqueeze(1) ==
         at::arange(keys, integers).unsqueeze(0);
}

}  // namespace

at::Tensor visible_keys(int64_t queries, int64_t keys, at::Device device,
                        const AttentionOptions& options) {
  at::Tensor visible = at::ones({1, 1, queries, keys}, at::TensorOptions(at::kBool).device(device));
  if (options.causal) visible = visible.tril(options.query_offset);
  if (options.mask.defined()) visible = visible.logical_and(options.mask.unsqueeze(0));
  if (options.key_keep.defined())
    visible = visible.logical_and(options.key_keep.view({-1, 1, 1, keys}));
  if (!options.diagonal_masked) return visible;
  const at::Tensor others =
      visible.logical_and(own_token(queries, keys, options.query_offset, device).logical_not());
  return at::where(others.any(-1, /*keepdim=*/true), others, visible);
}

at::Tensor visible_softmax(const at::Tensor& scores, const AttentionOptions& options) {
  const at::Tensor hidden =
      visible_keys(scores.size(2), scores.size(3), scores.device(), options).logical_not();
  // Far below any score, but not -inf: a row with nothing visible must not turn into NaN in either
  // direction.
  return scores.masked_fill(hidden, -1e30).softmax(-1).masked_fill(hidden, 0.0);
}

at::Tensor attention_weights(const at::Tensor& query, const at::Tensor& key,
                             const AttentionOptions& options) {
  const int64_t queries = query.size(2), keys = key.size(2);
  at::Tensor scores_BHQK = at::matmul(query, key.transpose(2, 3)) * options.scale;
  if (options.diagonal_rate != 1.0) {
    const at::Tensor own = own_token(queries, keys, options.query_offset, query.device());
    scores_BHQK = at::where(own, scores_BHQK * options.diagonal_rate, scores_BHQK);
  }
  if (options.bias.defined()) scores_BHQK = scores_BHQK + options.bias;
  return visible_softmax(scores_BHQK, options).to(query.scalar_type());
}

at::Tensor attention_reference(const at::Tensor& query, const at::Tensor& key,
                               const at::Tensor& value, const AttentionOptions& options) {
  const at::Tensor weights_BHQK = attention_weights(query, key, options);
  return at::matmul(philox_dropout_reference(weights_BHQK, options.dropout, options.random), value);
}

}  // namespace rethink
