// Transposition on one CPU core, with plain pointers and without LibTorch. Implemented in
// transposed_isa.cpp, which is compiled once per instruction set (kernels/simd/isa.h).
#pragma once

#include <cstdint>

#include "kernels/simd/isa.h"

namespace rethink {

/// to[c, r] = from[r, c] for rows [begin, end) of `from`.
template <typename T>
struct TransposeRows {
  const T* from;  // [rows, columns]
  T* to;          // [columns, rows]
  int64_t rows, columns;
  int64_t begin, end;
};

template <typename T>
struct TransposeKernels {
  void (*run)(const TransposeRows<T>&);
};

RETHINK_ISA_TABLE(TransposeKernels, transpose_kernels)

}  // namespace rethink
