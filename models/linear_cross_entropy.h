// Output projection and cross-entropy in one pass over chunks of rows that stay in the cache: no
// [N,V] tensor of logits or of their gradient is ever made, which is most of the memory traffic of
// a small language model.
#pragma once

#include <ATen/core/Tensor.h>

namespace rethink {

/// Sum over rows of -log softmax(hidden W^T + b)[target].
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
