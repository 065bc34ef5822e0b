// The loss of a softmax over classes, of logits at full precision, or of hidden states in one pass with the
// output projection that keeps no [N,V] tensor.
#pragma once

#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>

namespace rethink {

/// -log softmax(logits)[target]. Logits of half precision are widened first, since eight bits cannot
/// hold the logarithm of a sum over thousands of classes, nor the sum of a batch's losses.
///
/// logits   float [N,C]
/// targets  i64 [N]  ignored where equal to `ignored`
/// returns  float [] or, unreduced, [N]
at::Tensor cross_entropy(const at::Tensor& logits, const at::Tensor& targets,
                         at::Reduction::Reduction reduction, int64_t ignored = -100,
                         double label_smoothing = 0.0);

/// Sum over rows of -log softmax(hidden W^T + b)[target], over chunks of rows that stay in the cache: no
/// [N,V] tensor of logits or of their gradient is ever made, which is most of the memory traffic of a
/// small language model.
///
/// hidden  float [N,D]
/// weight  float [V,D]
/// bias    float [V]
/// targets i64 [N]
/// returns float []  differentiable once in hidden, weight and bias
///
/// Cost: the gradients are made here, beside the loss; the backward pass only scales them, and there
/// can be but one.
at::Tensor linear_cross_entropy_sum(const at::Tensor& hidden, const at::Tensor& weight,
                                    const at::Tensor& bias, const at::Tensor& targets);

}  // namespace rethink
