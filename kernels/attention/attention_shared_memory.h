// How many rows a block of attention's CUDA kernels owns: as many as the GPU's shared memory has room for.
// Plain arithmetic, so that machines without a GPU test it.
#pragma once

#include <cstdint>

#include "core/philox.h"

namespace rethink::attention_tiles {

inline constexpr int kTile = 32;  // rows of the other side, one a lane
inline constexpr int kOwnedRows[] = {16, 8,
                                     4};  // that a block may own; more reuse a tile more often
inline constexpr int64_t kFloatBytes = 4,
                         kBitsBytes = 2;  // of a number, of one weight's dropout bits

/// Odd, so that the same element of neighbouring rows lies in different banks.
RETHINK_HOST_DEVICE constexpr int row_stride(int width) {
  return width | 1;
}

/// What a kernel keeps in shared memory beside one tile and the dropout bits [owned, kTile].
struct KernelMemory {
  int sets = 0;     // float [owned, width]
  int squares = 0;  // float [owned, kTile]
};

inline constexpr KernelMemory kForwardMemory{2, 1}, kQueryGradMemory{3, 1}, kKeyGradMemory{4, 2},
    kBiasGradMemory{1, 0};

/// Shared memory of a block [bytes].
constexpr int64_t shared_bytes(int width, KernelMemory memory, int owned) {
  const int64_t rows = (memory.sets * owned + kTile) * row_stride(width) * kFloatBytes;
  return rows + owned * kTile * (memory.squares * kFloatBytes + kBitsBytes);
}

/// The most rows of kOwnedRows with which a block fits into `limit` bytes of shared memory; 0 where
/// none does. Which it is changes no bit of a result: each row's sums have their own order.
constexpr int rows_that_fit(int width, KernelMemory memory, int64_t limit) {
  for (const int owned : kOwnedRows) {
    if (shared_bytes(width, memory, owned) <= limit) return owned;
  }
  return 0;
}

}  // namespace rethink::attention_tiles
