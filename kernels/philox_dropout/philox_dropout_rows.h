// Dropout of rows on one CPU core: plain pointers, no LibTorch. Compiled per instruction set
// (kernels/simd/isa.h).
// Implemented in philox_dropout_isa.cpp.
#pragma once

#include <cstdint>

#include "core/philox.h"
#include "kernels/simd/isa.h"

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

template <typename T>
struct DropoutKernels {
  void (*drop)(const DropoutRows<T>&);
};

RETHINK_ISA_TABLE(DropoutKernels, dropout_kernels)

}  // namespace rethink
