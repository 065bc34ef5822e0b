// Bias and GELU of a feed-forward layer in one pass over memory. The forward pass also stores the
// derivative, so that the backward pass needs no exponential. The backward pass computes the
// gradients of input and bias together. On devices other than the CPU, LibTorch's own operators
// compute both.
#pragma once

#include <ATen/core/Tensor.h>

namespace rethink {

/// Returns gelu(input + bias), where gelu(x) = x Phi(x) with the normal distribution's Phi
/// (Hendrycks and Gimpel, 2016).
///
/// input   float [...,N]  float32 or float64
/// bias    float [N]
/// returns float [...,N]  differentiable once in both arguments
///
/// The bias's gradient does not depend on the number of threads.
///
/// Throws c10::Error when a shape or dtype differs from the above.
at::Tensor bias_gelu(const at::Tensor& input, const at::Tensor& bias);

}  // namespace rethink
