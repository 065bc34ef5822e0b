// The end of every sublayer of a post-LN transformer in one pass over memory: dropout, addition of
// the residual, LayerNorm. On devices other than the CPU it is composed of LibTorch's own operators
// and philox_dropout.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/philox.h"

namespace rethink {

struct ResidualLayerNormOptions {
  double dropout = 0.0;  // of the input, 0 <= p < 1, as philox_dropout
  PhiloxKey key = {};
  double epsilon = 1e-5;  // added to the variance
};

/// LayerNorm(residual + dropout(input)) over the last dimension, times weight plus bias.
///
/// input    float [...,N]  converted to residual's dtype; on a GPU after dropout, in the sum
/// residual float [...,N]  float32 or float64
/// weight   float [N]
/// bias     float [N]
/// returns  float [...,N]  differentiable in all four; the gradients' sums over rows do not depend
///                         on threads
///
/// Throws c10::Error when a shape or dtype differs from the above.
at::Tensor residual_layer_norm(const at::Tensor& input, const at::Tensor& residual,
                               const at::Tensor& weight, const at::Tensor& bias,
                               const ResidualLayerNormOptions& options);

}  // namespace rethink
