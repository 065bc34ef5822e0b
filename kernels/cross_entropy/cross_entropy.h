// Cross-entropy that overwrites the scores by their gradient. It needs three passes over a row,
// which stays in the cache, and no second tensor of the scores' size.
#pragma once

#include <ATen/core/Tensor.h>

namespace rethink {

/// Returns each row's loss -log softmax(scores)[target] [nats], and overwrites `scores` by the
/// gradient of their sum.
///
/// scores  float [N,V]  float32 or float64 on the CPU, contiguous; overwritten, no derivatives
/// targets i64 [N]
/// returns float [N]
///
/// Throws c10::Error when a shape or dtype differs from the above or a target is not in [0, V).
at::Tensor cross_entropy_gradient_(const at::Tensor& scores, const at::Tensor& targets);

/// Returns the sum of the losses without changing `scores`. Differentiable once.
///
/// returns float []
at::Tensor cross_entropy_sum(const at::Tensor& scores, const at::Tensor& targets);

}  // namespace rethink
