// The attention operator: softmax(scale * Q K^T + bias) V over the keys that a query may see, with
// dropout of the weights, in one pass. It supports the causal mask, padding, fixed masks, a learned
// bias (the soft and sampled masks of SparseBERT), and diagonals whose scores are scaled or masked
// (Bird-Eye Transformers, section 4.3 and "Diagonal-Free Mask"). CONTRIBUTING.md, "Letters of
// shapes", explains the letters B, H, Q, ...
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/philox.h"

namespace rethink {

/// The score of a hidden key: far below any score, but not -inf, so that a row without a visible
/// key gives no NaN in the forward or the backward pass.
constexpr double kHiddenScore = -1e30;

struct AttentionOptions {
  double scale = 1.0;            // factor of the scores, usually 1/sqrt(E)
  bool causal = false;           // query t has position t + query_offset and sees keys up to there
  int64_t query_offset = 0;      // position of the first query; attention() itself accepts only 0
  double diagonal_rate = 1.0;    // factor of a token's score with itself, applied before the bias
  bool diagonal_masked = false;  // a token sees itself only if it sees no other token
  double dropout = 0.0;          // dropout p of attention weights, 0 <= p < 1
  PhiloxKey random = {};         // key of the dropout: philox_dropout of the weights [B,H,Q,K]
  at::Tensor key_keep = {};      // bool [B,K], false = padding; undefined = no padding
  at::Tensor mask = {};          // u8 or bool [1|H,Q,K], 0 = hidden; undefined = nothing hidden
  at::Tensor bias = {};  // float [1|H,Q,K], added to the scaled scores, above -1e29; undefined = 0
  bool bias_is_exact = false;  // bfloat16 represents the bias of every visible key exactly
};

/// Returns the attention of `query` to `key` and `value`, and zeros for a query that sees no key.
/// Differentiable in query, key, value and the bias. The bias is added in float32 or float64,
/// whatever the query's type is.
///
/// query   float [B,H,Q,E]  E <= 512
/// key     float [B,H,K,E]
/// value   float [B,H,K,E]
/// returns float [B,H,Q,E]
///
/// On a GPU LibTorch computes most calls (attention_path.h, library_attention.h). Its dropout does
/// not use `random`. In bfloat16 it rounds the bias, and each example's gradient of the bias. If
/// rounding would change a float32 bias, the kernels of this room compute the call: bfloat16 scores
/// near -5,000 are 16 apart.
///
/// Memory: no tensor [B,H,Q,K] is made, except by LibTorch with padding or a bias per head. The
/// backward pass computes the weights again. Throws c10::Error when a shape, dtype or device
/// differs from the above.
at::Tensor attention(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                     const AttentionOptions& options);

/// Returns bool [1|B,1|H,Q,K], true for keys that a query may see by the options that hide keys.
at::Tensor visible_keys(int64_t queries, int64_t keys, at::Device device,
                        const AttentionOptions& options);

/// Returns the softmax of `scores` over the keys that a query may see. Hidden keys get zeros. Only
/// the options that hide keys count.
///
/// scores  float [B,H,Q,K]
/// returns float [B,H,Q,K]
at::Tensor visible_softmax(const at::Tensor& scores, const AttentionOptions& options);

/// Returns attention's scores before the softmax, float [B,H,Q,K]: scale Q K^T with the diagonal's
/// rate and the bias, for hidden keys too.
at::Tensor attention_scores(const at::Tensor& query, const at::Tensor& key,
                            const AttentionOptions& options);

/// Returns attention's weights before dropout, float [B,H,Q,K], which attention maps show.
at::Tensor attention_weights(const at::Tensor& query, const at::Tensor& key,
                             const AttentionOptions& options);

}  // namespace rethink
