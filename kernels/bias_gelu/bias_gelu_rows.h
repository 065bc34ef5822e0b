// Bias and GELU of rows on one CPU core, with plain pointers and without LibTorch. Implemented in
// bias_gelu_isa.cpp, which is compiled once per instruction set (kernels/simd/isa.h).
#pragma once

#include <cstdint>

#include "kernels/simd/isa.h"

namespace rethink {

/// Rows [begin, end) of tensors. The pointers are the starts of the tensors.
template <typename T>
struct GeluForward {
  const T *input, *bias;
  T *output, *derivative;  // derivative of gelu at input + bias
  int64_t columns, begin, end;
};

template <typename T>
struct GeluBackward {
  const T *output_grad, *derivative;
  T* input_grad;
  T* bias_grad;  // [columns], sums over these rows
  int64_t columns, begin, end;
};

template <typename T>
struct GeluKernels {
  void (*forward)(const GeluForward<T>&);
  void (*backward)(const GeluBackward<T>&);
};

RETHINK_ISA_TABLE(GeluKernels, gelu_kernels)

}  // namespace rethink
