// Cross-entropy of rows on one CPU core, with plain pointers and without LibTorch. Implemented in
// cross_entropy_isa.cpp, which is compiled once per instruction set (kernels/simd/isa.h).
#pragma once

#include <cstdint>

#include "kernels/simd/isa.h"

namespace rethink {

template <typename T>
struct CrossEntropyRows {
  T* scores;  // [rows, columns], overwritten by their gradient
  const int64_t* targets;
  T* losses;
  int64_t rows, columns;
};

template <typename T>
struct CrossEntropyKernels {
  void (*run)(const CrossEntropyRows<T>&);
};

RETHINK_ISA_TABLE(CrossEntropyKernels, cross_entropy_kernels)

}  // namespace rethink
