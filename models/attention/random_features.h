// Random features whose inner products estimate a kernel (FAVOR: Choromanski et al., arXiv
// 2006.03555 and 2009.14794).
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/philox.h"

namespace rethink {

/// Directions w and phases b of random features, drawn once from `key`. The directions are
/// orthogonal within blocks of E, and their lengths are those of independent normal vectors. The
/// phases are uniform in [0, 2 pi).
class RandomFeatures {
 public:
  /// Draws c = `count` features for vectors of width E = `width`.
  RandomFeatures(int64_t count, int64_t width, PhiloxKey key);

  /// Returns phi(x) = sqrt(2/c) cos(w.x + b). phi(x).phi(y) estimates exp(-|x-y|^2/2) and can be
  /// negative.
  ///
  /// x        float [...,E]
  /// returns  float [...,c]
  at::Tensor cosine(const at::Tensor& x) const;

  /// Returns w.x - |x|^2/2 - log(c)/2. Inner products of the exponentials estimate exp(x.y).
  /// Against overflow, a caller may first subtract a constant that cancels in the softmax.
  ///
  /// x        float [...,E]
  /// returns  float [...,c]
  at::Tensor positive_exponents(const at::Tensor& x) const;

 private:
  void follow(const at::Tensor& x) const;

  mutable at::Tensor directions_, phases_;  // float [E,c], [c]; of the dtype and device of x
};

}  // namespace rethink
