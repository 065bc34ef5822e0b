// Conversion of low-precision numbers to float32, for computations in which bfloat16 is too coarse.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/ScalarType.h>

namespace rethink {

/// Returns float32 for types of lower precision, else the type itself.
inline at::ScalarType widened(at::ScalarType type) {
  return at::promote_types(type, at::kFloat);
}

/// Returns the same numbers in the widened type.
inline at::Tensor widened(const at::Tensor& numbers) {
  return numbers.to(widened(numbers.scalar_type()));
}

}  // namespace rethink
