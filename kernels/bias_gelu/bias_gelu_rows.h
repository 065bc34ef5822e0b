// Bias and GELU of rows on one CPU core: plain pointers, no LibTorch. Compiled per instruction set
// (kernels/simd/isa.h).
// Implemented in bias_gelu_isa.cpp.
#pragma once

#include <cstdint>

#include "kernels/simd/isa.h"

namespace rethink {

/// Rows [begin, end) of tensors that start at the pointers.
template <typename T>
struct GeluForward {
  const T *input, *bias;
  T *output, *derivative;  // of gelu at input + bias
  int64_t columns, begin, end;
};

template <typename T>
struct GeluBackward {
  const T *output_grad, *derivative;
  T* input_grad;
  T* bias_grad;  // [columns]: sums over these rows
  int64_t columns, begin, end;
};

template <typename T>
struct GeluKernels {
  void (*forward)(const GeluForward<T>&);
  void (*backward)(const GeluBackward<T>&);
};

RETHINK_ISA_TABLE(GeluKernels, gelu_kernels)

}  // namespace rethink
