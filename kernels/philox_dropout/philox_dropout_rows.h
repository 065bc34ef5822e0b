// Dropout of rows on one CPU core: plain pointers, no LibTorch. Compiled per instruction set
// (kernels/simd/isa.h).
#pragma once

#include <cstdint>

#include "core/philox.h"

namespace rethink {

/// `rows` rows of `columns` elements, one after the other; row r's Philox counters start at first +
/// r * row_blocks.
template <typename T>
struct DropoutRows {
  const T* input;
  T* output;
  int64_t rows, columns;
  uint64_t first;
  int64_t row_blocks;
  PhiloxKey key;
  uint32_t threshold;  // kernels/philox_dropout/keep_rule.h
  double scale;
};

struct DropoutKernels {
  void (*drop_float)(const DropoutRows<float>&);
  void (*drop_double)(const DropoutRows<double>&);
};

namespace baseline {
extern const DropoutKernels dropout_kernels;
}
namespace avx2 {
extern const DropoutKernels dropout_kernels;
}
namespace avx512 {
extern const DropoutKernels dropout_kernels;
}

}  // namespace rethink
