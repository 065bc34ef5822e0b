// How attention makes weights of products: made once from what the caller asks, it goes whole through
// LibTorch's dispatcher to the kernels of a CPU core and of a GPU, which know no LibTorch.
#pragma once

#include <cstdint>

#include "core/philox.h"

namespace rethink {

/// Real: double, and float on a GPU.
template <typename Real>
struct AttentionRule {
  Real scale = 1;
  bool causal = false;
  Real diagonal_rate = 1;
  bool diagonal_masked = false;
  PhiloxKey key = {};           // of dropout
  uint32_t keep_threshold = 0;  // kernels/philox_dropout/keep_rule.h; 0 = no dropout
  Real keep_scale = 1;

  template <typename Other>
  AttentionRule<Other> as() const {
    return {static_cast<Other>(scale),
            causal,
            static_cast<Other>(diagonal_rate),
            diagonal_masked,
            key,
            keep_threshold,
            static_cast<Other>(keep_scale)};
  }
};

}  // namespace rethink
