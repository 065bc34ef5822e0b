// The rule by which attention computes weights from products. It is made once from the caller's
// options and passed through LibTorch's dispatcher to the kernels of CPU and GPU, which do not use
// LibTorch.
#pragma once

#include <cstdint>

#include "core/philox.h"

namespace rethink {

/// `Real` is double on a CPU and float on a GPU.
template <typename Real>
struct AttentionRule {
  Real scale = 1;
  bool causal = false;
  Real diagonal_rate = 1;
  bool diagonal_masked = false;
  PhiloxKey key = {};           // key of the dropout
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
