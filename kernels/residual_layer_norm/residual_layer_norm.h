// The end of every sublayer of a post-LN transformer in one pass over memory: dropout, addition of
// the residual, LayerNorm, and on request a copy in bfloat16 for the products that follow.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/philox.h"

namespace rethink {

struct ResidualLayerNormOptions {
  double dropout = 0.0;  // of the input, 0 <= p < 1, as philox_dropout
  PhiloxKey key = {};
  double epsilon = 1e-5;  // added to the variance
};

/// LayerNorm(residual + dropout(input)) over the last dimension, times weight plus bias. Dropout, the sum
/// and the norm are computed in residual's dtype.
///
/// input    float [...,N]  of residual's dtype or bfloat16, and so is its gradient
/// residual float [...,N]  float32; on the CPU float64 too
/// weight   float [N]
/// bias     float [N]
/// returns  float [...,N]  differentiable in all four; the gradients' sums over rows do not depend
///                         on threads
///
/// Throws c10::Error when a shape or dtype differs from the above; on a GPU when N is above 8192.
at::Tensor residual_layer_norm(const at::Tensor& input, const at::Tensor& residual,
                               const at::Tensor& weight, const at::Tensor& bias,
                               const ResidualLayerNormOptions& options);

struct NormWithCopy {
  at::Tensor output;    // what residual_layer_norm returns
  at::Tensor bfloat16;  // the same rounded
};

/// Both are differentiable: one kernel adds up the gradients that they get, in residual's dtype.
NormWithCopy residual_layer_norm_with_bfloat16(const at::Tensor& input, const at::Tensor& residual,
                                               const at::Tensor& weight, const at::Tensor& bias,
                                               const ResidualLayerNormOptions& options);

}  // namespace rethink
