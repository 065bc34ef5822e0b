// Dropout, residual and LayerNorm of rows on one CPU core, with plain pointers and without
// LibTorch. Implemented in residual_layer_norm_isa.cpp, which is compiled once per instruction set
// (kernels/simd/isa.h).
#pragma once

#include <cstdint>

#include "core/philox.h"
#include "kernels/simd/isa.h"

namespace rethink {

/// Properties that all rows share. Row r's Philox counters start at r * ceil(columns / 8).
struct NormRule {
  int64_t columns = 0;
  double epsilon = 1e-5;
  PhiloxKey key;
  uint32_t keep_threshold = 0;  // kernels/philox_dropout/keep_rule.h; 0 = no dropout
  double keep_scale = 1.0;
};

/// Rows [begin, end) of tensors. The pointers are the starts of the tensors.
template <typename T>
struct NormForward {
  const T *input, *residual, *weight, *bias;
  T *output, *sum;    // sum = residual + dropout(input)
  T *mean, *inverse;  // [rows], mean of sum, and 1 / sqrt(variance + epsilon)
  int64_t begin, end;
  uint16_t* bits;  // scratch: columns rounded up to 128
};

template <typename T>
struct NormBackward {
  const T *output_grad, *sum, *mean, *inverse, *weight;
  T *input_grad, *residual_grad;
  T *weight_grad, *bias_grad;  // [columns], sums over these rows
  int64_t begin, end;
  uint16_t* bits;
};

template <typename T>
struct NormKernels {
  void (*forward)(const NormRule&, const NormForward<T>&);
  void (*backward)(const NormRule&, const NormBackward<T>&);
};

RETHINK_ISA_TABLE(NormKernels, norm_kernels)

}  // namespace rethink
