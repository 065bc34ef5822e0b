// Dropout of rows on one CPU core, with plain pointers and without LibTorch. Implemented in
// philox_dropout_isa.cpp, which is compiled once per instruction set (kernels/simd/isa.h).
#pragma once

#include <cstdint>

#include "core/philox.h"
#include "kernels/simd/isa.h"

namespace rethink {

/// `rows` consecutive rows of `columns` elements. Row r's Philox counters start at first +
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
