// Attention from queries, keys and values, for all variants. The fused operator computes the result
// if it can, else a plain expression of LibTorch operators, which also supports decoding offsets,
// factors and recorded maps.
#pragma once

#include <optional>

#include "kernels/attention/attention.h"
#include "models/attention/attention.h"

namespace rethink {

struct AttendOptions {
  double dropout = 0.0;              // dropout of attention weights; 0 when not training
  std::optional<double> scale = {};  // factor of the scores; nullopt: 1/sqrt(E)
  double diagonal_rate = 1.0;        // multiplies a token's score with itself
  bool diagonal_masked = false;      // a token sees itself only if it sees no other token
  at::Tensor mask = {};              // u8 [1|H,Q,K], 0 = hidden; undefined = nothing is hidden
  at::Tensor bias = {};              // float [1|H,Q,K], above -1e29, added to the scaled scores
  bool bias_is_exact = false;        // bfloat16 represents the bias of every visible key exactly
  at::Tensor factor = {};            // float [1|H,Q,K], multiplies the softmax's weights
  bool record = true;                // whether this call's maps are the variant's maps
};

/// Returns (factor * softmax(scale * Q K^T + bias)) V with the causal mask and the padding of
/// `call`, and with dropout keyed by `random`. Also differentiable in bias and factor. A query that
/// sees no key gets zeros. Padding behind a causal query does not change its result.
///
/// query   float [B,H,Q,E]
/// key     float [B,H,K,E]
/// value   float [B,H,K,E]
/// returns float [B,H,Q,E]
at::Tensor attend(const AttentionCall& call, const at::Tensor& query, const at::Tensor& key,
                  const at::Tensor& value, const AttendOptions& options, PhiloxKey random);

/// Returns softmax(scores) V with the causal mask and the padding of `call`, for scores that are
/// not a product of queries and keys. Otherwise like attend().
///
/// scores  float [B,H,Q,K]
/// value   float [B,H,K,E]
/// returns float [B,H,Q,E]
at::Tensor attend_by_scores(const AttentionCall& call, const at::Tensor& scores,
                            const at::Tensor& value, double dropout, PhiloxKey random);

/// Returns weights V after dropout of the weights. Records the weights if `call` has a recorder of
/// maps.
///
/// weights float [B,H,Q,K]
/// value   float [B,H,K,E]
/// returns float [B,H,Q,E]
at::Tensor attend_by_weights(const AttentionCall& call, const at::Tensor& weights,
                             const at::Tensor& value, double dropout, PhiloxKey random);

/// Returns which keys a query of `call` may see: the causal mask, the query offset and the padding.
AttentionOptions visibility_of(const AttentionCall& call);

/// Returns the key of an independent random stream for the n-th use of `key` within one call.
PhiloxKey derived(PhiloxKey key, uint64_t n);

}  // namespace rethink
