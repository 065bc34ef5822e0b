// The rule that makes uniform numbers in (0, 1) from Philox numbers: pure arithmetic for the CPU
// and CUDA. Element i comes from word i % 4 of the block at counter i / 4.
#pragma once

#include <cstdint>

#include "core/philox.h"

namespace rethink {

constexpr int kUniformsOfBlock = 4;  // one per word

/// Returns the middle of one of 2^23 equal parts of (0, 1). It is exact in float32, and never 0 or
/// 1.
RETHINK_HOST_DEVICE inline float open_uniform(uint32_t word) {
  return (static_cast<float>(word >> 9) + 0.5f) * (1.0f / 8388608.0f);
}

}  // namespace rethink
