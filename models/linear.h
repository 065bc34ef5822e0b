// Linear layers whose products in float32 on the CPU are oneDNN's, which LibTorch carries but uses
// for lower precisions alone: the BLAS that at::linear calls runs at half of its speed on some
// processors (docs/performance.md).
#pragma once

#include <ATen/core/Tensor.h>

namespace rethink {

/// input W^T + bias, as at::linear.
///
/// input   float [...,I]
/// weight  float [O,I]
/// bias    float [O]  undefined = none
/// returns float [...,O]  differentiable once
at::Tensor linear(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias);

/// a b^T + bias without derivatives.
///
/// a       float [R,I]  of any strides, and so is b
/// b       float [C,I]
/// bias    float [C]  undefined = none
/// returns float [R,C]
at::Tensor product(const at::Tensor& a, const at::Tensor& b, const at::Tensor& bias = {});

}  // namespace rethink
