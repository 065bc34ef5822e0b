// Where bfloat16 will not do.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/ScalarType.h>

namespace rethink {

/// float32 for types below it, else the type itself.
inline at::ScalarType widened(at::ScalarType type) {
  return at::promote_types(type, at::kFloat);
}

/// The same numbers in the widened type.
inline at::Tensor widened(const at::Tensor& numbers) {
  return numbers.to(widened(numbers.scalar_type()));
}

}  // namespace rethink
