// Linear layers whose float32 products on a CPU are computed by oneDNN. LibTorch contains oneDNN
// but uses it only for lower precisions. The BLAS that at::linear calls runs at half of oneDNN's
// speed on some processors (docs/performance.md).
#pragma once

#include <ATen/core/Tensor.h>

namespace rethink {

/// Returns input W^T + bias, as at::linear.
///
/// input   float [...,I]
/// weight  float [O,I]
/// bias    float [O]  undefined = no bias
/// returns float [...,O]  differentiable once
at::Tensor linear(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias);

/// Returns a b^T + bias without derivatives.
///
/// a       float [R,I]  any strides
/// b       float [C,I]  any strides
/// bias    float [C]  undefined = no bias
/// returns float [R,C]
at::Tensor product(const at::Tensor& a, const at::Tensor& b, const at::Tensor& bias = {});

}  // namespace rethink
