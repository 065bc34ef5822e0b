// The loss of a softmax over classes, at full precision also where logits come in bfloat16.
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

}  // namespace rethink
