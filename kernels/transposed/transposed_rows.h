// Transposition on one CPU core: plain pointers, no LibTorch. Compiled per instruction set
// (kernels/simd/isa.h).
#pragma once

#include <cstdint>

namespace rethink {

/// to[c, r] = from[r, c] for rows [begin, end) of `from`.
template <typename T>
struct TransposeRows {
  const T* from;  // [rows, columns]
  T* to;          // [columns, rows]
  int64_t rows, columns;
  int64_t begin, end;
};

struct TransposeKernels {
  void (*run_float)(const TransposeRows<float>&);
  void (*run_double)(const TransposeRows<double>&);
};

namespace baseline {
extern const TransposeKernels transpose_kernels;
}
namespace avx2 {
extern const TransposeKernels transpose_kernels;
}
namespace avx512 {
extern const TransposeKernels transpose_kernels;
}

}  // namespace rethink
