// What the CUDA kernel of dropout is given: plain numbers and pointers, no LibTorch.
// Implemented in philox_dropout.cu.
#pragma once

#include <cstdint>

#include "core/philox.h"

namespace rethink {

/// `rows` rows of `columns` elements, one after the other.
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

/// Returns null, or what CUDA says is wrong.
const char* launch_philox_dropout(const PhiloxDropoutLaunch& launch);

}  // namespace rethink
