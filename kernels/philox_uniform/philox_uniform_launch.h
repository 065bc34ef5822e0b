// Launch function of the CUDA kernel of uniform numbers and its arguments: plain numbers and
// pointers, no LibTorch. Implemented in philox_uniform.cu.
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

/// Starts the kernel. Returns null, or CUDA's error message.
const char* launch_philox_uniform(const PhiloxUniformLaunch& launch);

}  // namespace rethink
