// Cross-entropy of a softmax over classes: from logits at full precision, or from hidden states in
// one pass with the output projection, without a tensor [N,V].
#pragma once

#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>

namespace rethink {

/// Returns -log softmax(logits)[target] [nats]. Logits of half precision are converted to float32
/// first: eight bits cannot hold the logarithm of a sum over thousands of classes, nor the sum of a
/// batch's losses.
///
/// logits   float [N,C]
/// targets  i64 [N]  rows whose target equals `ignored` do not count
/// returns  float [], or [N] without a reduction
at::Tensor cross_entropy(const at::Tensor& logits, const at::Tensor& targets,
                         at::Reduction::Reduction reduction, int64_t ignored = -100,
                         double label_smoothing = 0.0);

/// Returns the sum over rows of -log softmax(hidden W^T + b)[target] [nats]. Computes chunks of
/// rows that fit into the cache. No tensor [N,V] of logits or gradients is made: such tensors are
/// most of the memory traffic of a small language model.
///
/// hidden  float [N,D]
/// weight  float [V,D]
/// bias    float [V]
/// targets i64 [N]
/// returns float []  differentiable once in hidden, weight and bias
///
/// Cost: this function computes the gradients together with the loss. The backward pass only scales
/// them, and may run once.
at::Tensor linear_cross_entropy_sum(const at::Tensor& hidden, const at::Tensor& weight,
                                    const at::Tensor& bias, const at::Tensor& targets);

}  // namespace rethink
