// The one way from queries, keys and values to a variant's result: the fused operator where it
// fits, else the plain expression, which also knows padding, cross-attention, decoding offsets and
// maps.
#pragma once

#include "models/attention/attention.h"

namespace rethink {

struct AttendOptions {
  double dropout = 0.0;          // of attention weights; 0 when not training
  double diagonal_rate = 1.0;    // multiplies a token's score with itself
  bool diagonal_masked = false;  // a token sees itself only where it has nothing else to see
  bool record = true;            // false: this pass is not the one whose maps a variant shows
};

/// softmax(scale * Q K^T) V with scale = 1/sqrt(E), the causal mask and the padding of `call`,
/// dropout keyed by `random`. A query with nothing to see gets zeros. Padding that lies behind a
/// causal query changes nothing.
///
/// query   float [B,H,Q,E]
/// key     float [B,H,K,E]
/// value   float [B,H,K,E]
/// returns float [B,H,Q,E]
at::Tensor attend(const AttentionCall& call, const at::Tensor& query, const at::Tensor& key,
                  const at::Tensor& value, const AttendOptions& options, PhiloxKey random);

/// An independent stream of random numbers for the n-th use of `key` within one call.
PhiloxKey derived(PhiloxKey key, uint64_t n);

}  // namespace rethink
