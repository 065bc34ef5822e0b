// A matrix turned over in memory, in blocks that fill whole cache lines on both sides: two thirds of
// the time of LibTorch's copy of a transposed view, or less. The gradient of every linear layer's
// weight needs one.
#pragma once

#include <ATen/core/Tensor.h>

namespace rethink {

/// matrix  float [R,C]  float32 or float64
/// returns float [C,R]  contiguous; differentiable
///
/// Throws c10::Error when the shape or dtype differs from the above.
at::Tensor transposed(const at::Tensor& matrix);

}  // namespace rethink
