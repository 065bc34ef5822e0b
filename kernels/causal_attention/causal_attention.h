// Causal attention whose diagonal scores can be scaled or masked: softmax(scale * Q K^T) V with
// token i seeing tokens j <= i, and the score of j = i changed (Bird-Eye Transformers, section 4.3
// and "Diagonal-Free Mask").
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace rethink {

struct CausalAttentionOptions {
  double scale = 1.0;          // of the scores, usually 1/sqrt(E)
  double diagonal_rate = 1.0;  // the diagonal's score is multiplied by this before the softmax
  bool diagonal_masked =
      false;  // the diagonal gets no weight, but for row 0, which has nothing else to see
  double dropout = 0.0;  // of attention weights, 0 <= p < 1
  uint64_t seed = 0;     // Philox key and offset of the dropout: the same on every device
  uint64_t offset = 0;
};

/// query  float [B,H,T,E]  E <= 512
/// key    float [B,H,T,E]
/// value  float [B,H,T,E]
/// returns float [B,H,T,E]  differentiable in all three
///
/// Memory: no [T,T] tensor outlives the call; the backward pass computes the weights again.
/// Throws c10::Error when a shape, dtype or device differs from the above.
at::Tensor causal_attention(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                            const CausalAttentionOptions& options);

/// The same in the plainest LibTorch, for tests and for attention maps.
at::Tensor causal_attention_reference(const at::Tensor& query, const at::Tensor& key,
                                      const at::Tensor& value,
                                      const CausalAttentionOptions& options);

/// Its weights float [B,H,T,T], before dropout.
at::Tensor causal_attention_weights(const at::Tensor& query, const at::Tensor& key,
                                    const CausalAttentionOptions& options);

}  // namespace rethink
