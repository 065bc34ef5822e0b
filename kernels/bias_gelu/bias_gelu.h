// The inner half of a feed-forward layer in one pass over memory: bias and GELU, and with them the
// derivative that the way back multiplies by, so that it needs no exponential. The bias's gradient,
// a sum over rows, comes from the same pass as the input's. On devices other than the CPU it is
// composed of LibTorch's own operators.
#pragma once

#include <ATen/core/Tensor.h>

namespace rethink {

/// gelu(input + bias), x Phi(x) with the normal distribution's Phi (Hendrycks and Gimpel, 2016).
///
/// input   float [...,N]  float32 or float64
/// bias    float [N]
/// returns float [...,N]  differentiable once in both; the sum over rows does not depend on threads
///
/// Throws c10::Error when a shape or dtype differs from the above.
at::Tensor bias_gelu(const at::Tensor& input, const at::Tensor& bias);

}  // namespace rethink
