// Launch function of the CUDA kernel of dropout and its arguments: plain numbers and pointers, no
// LibTorch. Implemented in philox_dropout.cu.
#pragma once

#include <cstdint>

#include "core/philox.h"

namespace rethink {

/// `rows` consecutive rows of `columns` elements.
struct PhiloxDropoutLaunch {
  const void* input;
  void* output;
  int64_t rows, columns;
  bool bfloat16;
  PhiloxKey key;
  uint32_t threshold;  // kernels/philox_dropout/keep_rule.h
  float scale;
  void* stream;  // cudaStream_t
};

/// Starts the kernel. Returns null, or CUDA's error message.
const char* launch_philox_dropout(const PhiloxDropoutLaunch& launch);

}  // namespace rethink
