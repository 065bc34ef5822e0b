// The one way from queries, keys and values to a variant's result: the fused operator where it
// fits, else the plain expression, which also knows decoding offsets, factors and maps.
#pragma once

#include <optional>

#include "kernels/attention/attention.h"
#include "models/attention/attention.h"

namespace rethink {

struct AttendOptions {
  double dropout = 0.0;              // of attention weights; 0 when not training
  std::optional<double> scale = {};  // of the scores; none: 1/sqrt(E)
  double diagonal_rate = 1.0;        // multiplies a token's score with itself
  bool diagonal_masked = false;      // a token sees itself only where it has nothing else to see
  at::Tensor mask = {};              // u8 [1|H,Q,K], 0 = hidden; undefined = nothing is
  at::Tensor bias = {};              // float [1|H,Q,K], above -1e29, added to the scaled scores
  bool bias_is_exact = false;        // bfloat16 holds the bias where a key is seen
  at::Tensor factor = {};            // float [1|H,Q,K], times the softmax's weights
  bool record = true;                // false: this pass is not the one whose maps a variant shows
};

/// (factor * softmax(scale * Q K^T + bias)) V with the causal mask and the padding of `call`,
/// dropout keyed by `random`; differentiable in bias and factor too. A query with nothing to see
/// gets zeros. Padding that lies behind a causal query changes nothing.
///
/// query   float [B,H,Q,E]
/// key     float [B,H,K,E]
/// value   float [B,H,K,E]
/// returns float [B,H,Q,E]
at::Tensor attend(const AttentionCall& call, const at::Tensor& query, const at::Tensor& key,
                  const at::Tensor& value, const AttendOptions& options, PhiloxKey random);

/// softmax(scores) V with the causal mask and the padding of `call`, for scores that are no product
/// of queries and keys; otherwise as above.
///
/// scores  float [B,H,Q,K]
/// value   float [B,H,K,E]
/// returns float [B,H,Q,E]
at::Tensor attend_by_scores(const AttentionCall& call, const at::Tensor& scores,
                            const at::Tensor& value, double dropout, PhiloxKey random);

/// What finished weights make of the values, after dropout; they are recorded where somebody asks.
///
/// weights float [B,H,Q,K]
/// value   float [B,H,K,E]
/// returns float [B,H,Q,E]
at::Tensor attend_by_weights(const AttentionCall& call, const at::Tensor& weights,
                             const at::Tensor& value, double dropout, PhiloxKey random);

/// What a query of `call` may see: its causal mask, its offset and its padding.
AttentionOptions visibility_of(const AttentionCall& call);

/// An independent stream of random numbers for the n-th use of `key` within one call.
PhiloxKey derived(PhiloxKey key, uint64_t n);

}  // namespace rethink
