// Random features whose products estimate a kernel (FAVOR: Choromanski et al., arXiv 2006.03555 and
// 2009.14794).
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/philox.h"

namespace rethink {

/// Normal directions w, orthogonal within blocks of E and each as long as a normal vector of its
/// own, and phases b, uniform in [0, 2 pi). Drawn once, from `key`.
class RandomFeatures {
 public:
  /// c = `count` features of vectors of `width` = E.
  RandomFeatures(int64_t count, int64_t width, PhiloxKey key);

  /// sqrt(2/c) cos(w.x + b): phi(x).phi(y) estimates exp(-|x-y|^2/2), and can be negative.
  ///
  /// x        float [...,E]
  /// returns  float [...,c]
  at::Tensor cosine(const at::Tensor& x) const;

  /// w.x - |x|^2/2 - log(c)/2: the exponentials' products estimate exp(x.y). Who takes them may
  /// subtract what a softmax does not see, lest they overflow.
  ///
  /// x        float [...,E]
  /// returns  float [...,c]
  at::Tensor positive_exponents(const at::Tensor& x) const;

 private:
  void follow(const at::Tensor& x) const;

  mutable at::Tensor directions_, phases_;  // float [E,c], [c]; of the dtype and device of x
};

}  // namespace rethink
