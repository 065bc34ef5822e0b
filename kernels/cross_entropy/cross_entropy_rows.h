// Cross-entropy of rows on one CPU core: plain pointers, no LibTorch. Compiled per instruction set
// (kernels/simd/isa.h).
#pragma once

#include <cstdint>

namespace rethink {

template <typename T>
struct CrossEntropyRows {
  T* scores;  // [rows, columns], to their gradient
  const int64_t* targets;
  T* losses;
  int64_t rows, columns;
};

struct CrossEntropyKernels {
  void (*run_float)(const CrossEntropyRows<float>&);
  void (*run_double)(const CrossEntropyRows<double>&);
};

namespace baseline {
extern const CrossEntropyKernels cross_entropy_kernels;
}
namespace avx2 {
extern const CrossEntropyKernels cross_entropy_kernels;
}
namespace avx512 {
extern const CrossEntropyKernels cross_entropy_kernels;
}

}  // namespace rethink
