// Uniform numbers in (0, 1) as pure arithmetic on Philox numbers: one rule for the CPU and CUDA.
// Element i is of word i % 4 of the block at counter i / 4.
#pragma once

#include <cstdint>

#include "core/philox.h"

namespace rethink {

constexpr int kUniformsOfBlock = 4;  // a word each

/// The middle of one of 2^23 equal parts of (0, 1), exact in float32: never 0 or 1.
RETHINK_HOST_DEVICE inline float open_uniform(uint32_t word) {
  return (static_cast<float>(word >> 9) + 0.5f) * (1.0f / 8388608.0f);
}

}  // namespace rethink
