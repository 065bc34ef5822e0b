// Bias and GELU of rows on one CPU core: plain pointers, no LibTorch. Compiled per instruction set
// (kernels/simd/isa.h).
#pragma once

#include <cstdint>

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

struct GeluKernels {
  void (*forward_float)(const GeluForward<float>&);
  void (*forward_double)(const GeluForward<double>&);
  void (*backward_float)(const GeluBackward<float>&);
  void (*backward_double)(const GeluBackward<double>&);
};

namespace baseline {
extern const GeluKernels gelu_kernels;
}
namespace avx2 {
extern const GeluKernels gelu_kernels;
}
namespace avx512 {
extern const GeluKernels gelu_kernels;
}

}  // namespace rethink
