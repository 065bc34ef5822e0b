// Attention in one pass: softmax(scale * Q K^T + bias) V over the keys that a query may see, with
// dropout of the weights. It is causal or not, knows padding, fixed masks and a learned bias (the
// soft and sampled masks of SparseBERT), and diagonals whose scores are scaled or masked (Bird-Eye
// Transformers, section 4.3 and "Diagonal-Free Mask").
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/philox.h"

namespace rethink {

/// The score of what may not be seen. Far below any score, but not -inf: a row with nothing visible must
/// not turn into NaN in either direction.
constexpr double kHiddenScore = -1e30;

struct AttentionOptions {
  double scale = 1.0;            // of the scores, usually 1/sqrt(E)
  bool causal = false;           // query t, at position t + query_offset, sees keys up to there
  int64_t query_offset = 0;      // position of the first query; attention() itself takes only 0
  double diagonal_rate = 1.0;    // a token's score with itself is multiplied by this, before bias
  bool diagonal_masked = false;  // a token sees itself only where it has nothing else to see
  double dropout = 0.0;          // of attention weights, 0 <= p < 1
  PhiloxKey random = {};         // as philox_dropout of the weights [B,H,Q,K] uses it
  at::Tensor key_keep = {};      // bool [B,K]; undefined = all
  at::Tensor mask = {};          // u8 or bool [1|H,Q,K], 0 = hidden; undefined = none is
  at::Tensor bias = {};  // float [1|H,Q,K], added to the scaled scores, above -1e29; undefined = 0
  bool bias_is_exact = false;  // bfloat16 holds the bias, without rounding, where a key is seen
};

/// query   float [B,H,Q,E]  E <= 512
/// key     float [B,H,K,E]
/// value   float [B,H,K,E]
/// returns float [B,H,Q,E]  zeros where a query sees nothing; differentiable in all three and in
///                          the bias, which is added in float32 or float64 whatever the query is
///
/// On a GPU LibTorch computes most calls (attention_path.h, library_attention.h). Its dropout is not
/// that of `random`; in bfloat16 it rounds the bias, and the gradient of a bias for each example. A float32
/// bias that rounding changes goes to the kernels of this room: scores of -5,000 would be 16 apart.
///
/// Memory: no [B,H,Q,K] tensor is made, but by LibTorch where padding or a bias is per head; the backward
/// pass computes the weights again.
/// Throws c10::Error when a shape, dtype or device differs from the above.
at::Tensor attention(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                     const AttentionOptions& options);

/// bool [1|B,1|H,Q,K]: what a query may see, by those of the options that hide keys.
at::Tensor visible_keys(int64_t queries, int64_t keys, at::Device device,
                        const AttentionOptions& options);

/// softmax of finished scores over what a query may see, zeros elsewhere and where it sees nothing;
/// of the options only what hides keys counts.
///
/// scores  float [B,H,Q,K]
/// returns float [B,H,Q,K]
at::Tensor visible_softmax(const at::Tensor& scores, const AttentionOptions& options);

/// What its softmax is of, float [B,H,Q,K]: scale Q K^T with the diagonal's rate and the bias, hidden keys too.
at::Tensor attention_scores(const at::Tensor& query, const at::Tensor& key,
                            const AttentionOptions& options);

/// Its weights float [B,H,Q,K], before dropout: what attention maps show.
at::Tensor attention_weights(const at::Tensor& query, const at::Tensor& key,
                             const AttentionOptions& options);

}  // namespace rethink
