#include <ATen/ATen.h>

#include <limits>

#include "kernels/causal_attention/causal_attention.h"
#include "kernels/philox_dropout/philox_dropout.h"

namespace rethink {

at::Tensor causal_attention_weights(const at::Tensor& query, const at::Tensor& key,
                                    const CausalAttentionOptions& options) {
  const int64_t tokens = query.size(2);
  at::Tensor scores_BHQK = at::matmul(query, key.transpose(2, 3)) * options.scale;
  const at::Tensor diagonal = at::eye(tokens, query.options().dtype(at::kBool));
  if (options.diagonal_rate != 1.0) {
    scores_BHQK = at::where(diagonal, scores_BHQK * options.diagonal_rate, scores_BHQK);
  }
  at::Tensor hidden = at::ones({tokens, tokens}, query.options().dtype(at::kBool)).triu(1);
  if (options.diagonal_masked && tokens > 1) {
    hidden = hidden.logical_or(diagonal);
    hidden[0][0] = false;
  }
  return scores_BHQK.masked_fill(hidden, -std::numeric_limits<double>::infinity()).softmax(-1);
}

at::Tensor causal_attention_reference(const at::Tensor& query, const at::Tensor& key,
                                      const at::Tensor& value,
                                      const CausalAttentionOptions& options) {
  const at::Tensor weights_BHQK = causal_attention_weights(query, key, options);
  const PhiloxKey random{options.seed, options.offset};
  return at::matmul(philox_dropout_reference(weights_BHQK, options.dropout, random), value);
}

}  // namespace rethink
