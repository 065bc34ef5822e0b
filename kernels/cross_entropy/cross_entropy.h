// Cross-entropy that turns its scores into their gradient where they lie: three passes over a row
// that stays in the cache, no second tensor of its size.
#pragma once

#include <ATen/core/Tensor.h>

namespace rethink {

/// Row losses -log softmax(scores)[target], and in `scores` the gradient of their sum.
///
/// scores  float [N,V]  float32 or float64 on the CPU, contiguous; overwritten, no derivatives
/// targets i64 [N]
/// returns float [N]
///
/// Throws c10::Error when a shape or dtype differs from the above or a target is not in [0, V).
at::Tensor cross_entropy_gradient_(const at::Tensor& scores, const at::Tensor& targets);

/// Sum of the losses of `scores`, which stay as they are; differentiable once.
///
/// returns float []
at::Tensor cross_entropy(const at::Tensor& scores, const at::Tensor& targets);

}  // namespace rethink
