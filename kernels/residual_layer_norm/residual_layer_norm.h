// The end of a sublayer of a post-LN transformer in one pass over memory: dropout, addition of the
// residual, LayerNorm; optionally the bias before them, and a bfloat16 copy for the next products.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/philox.h"

namespace rethink {

struct ResidualLayerNormOptions {
  double dropout = 0.0;  // dropout p of the input, 0 <= p < 1, as philox_dropout
  PhiloxKey key = {};
  double epsilon = 1e-5;  // added to the variance
  /// float [N] in residual's dtype, added to input before dropout; undefined = none. A linear layer
  /// leaves its bias to this kernel, which sums the bias's gradient in the same pass.
  at::Tensor input_bias = {};
};

/// Returns LayerNorm(residual + dropout(input + input_bias)) over the last dimension, times weight
/// plus bias. Dropout, sums and norm are computed in residual's dtype.
///
/// input    float [...,N]  residual's dtype or bfloat16; its gradient has the same dtype
/// residual float [...,N]  float32, or float64 on the CPU
/// weight   float [N]
/// bias     float [N]
/// returns  float [...,N]  differentiable in all four and in options.input_bias
///
/// The gradients' sums over rows do not depend on the number of threads.
///
/// Throws c10::Error when a shape or dtype differs from the above; on a GPU when N is above 8192.
at::Tensor residual_layer_norm(const at::Tensor& input, const at::Tensor& residual,
                               const at::Tensor& weight, const at::Tensor& bias,
                               const ResidualLayerNormOptions& options);

struct NormWithCopy {
  at::Tensor output;    // result of residual_layer_norm
  at::Tensor bfloat16;  // the same, rounded
};

/// Returns both results. Both are differentiable: one kernel adds their gradients in residual's
/// dtype.
NormWithCopy residual_layer_norm_with_bfloat16(const at::Tensor& input, const at::Tensor& residual,
                                               const at::Tensor& weight, const at::Tensor& bias,
                                               const ResidualLayerNormOptions& options);

}  // namespace rethink
