// What the CUDA kernel of uniform numbers is given: plain numbers and pointers, no LibTorch.
// Implemented in philox_uniform.cu.
#pragma once

#include <cstdint>

#include "core/philox.h"

namespace rethink {

struct PhiloxUniformLaunch {
  float* output;  // [count]
  int64_t count;
  PhiloxKey key;
  void* stream;  // cudaStream_t
};

/// Returns null, or what CUDA says is wrong.
const char* launch_philox_uniform(const PhiloxUniformLaunch& launch);

}  // namespace rethink
