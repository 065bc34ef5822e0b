// Positions that nobody learns (Vaswani et al., 2017, section 3.5).
#pragma once

#include <ATen/core/Tensor.h>

namespace rethink {

/// A table of them that grows as longer sequences come; no state.
class Sinusoids {
 public:
  explicit Sinusoids(int64_t width) : width_(width) {}

  /// float [T,D] of positions from `first` on, as `like` is: sin in the even and cos in the odd
  /// channels.
  at::Tensor rows(int64_t first, int64_t tokens, const at::TensorOptions& like);

 private:
  const int64_t width_;
  at::Tensor table_;
};

}  // namespace rethink
