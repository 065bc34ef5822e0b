// The number of rows that a block of attention's CUDA kernels owns: as many as fit into the GPU's
// shared memory. Plain arithmetic, which machines without a GPU can test.
#pragma once

#include <cstdint>

#include "core/philox.h"

namespace rethink::attention_tiles {

inline constexpr int kTile = 32;  // rows of the other side, one per lane
inline constexpr int kOwnedRows[] = {16, 8,
                                     4};  // possible numbers; more rows reuse a tile more often
inline constexpr int64_t kFloatBytes = 4,
                         kBitsBytes = 2;  // size of a number, and of one weight's dropout bits

/// Returns an odd row stride, so that an element of neighbouring rows is in different banks.
RETHINK_HOST_DEVICE constexpr int row_stride(int width) {
  return width | 1;
}

/// Data of a kernel in shared memory, beside one tile and the dropout bits [owned, kTile].
struct KernelMemory {
  int sets = 0;     // float [owned, width]
  int squares = 0;  // float [owned, kTile]
};

inline constexpr KernelMemory kForwardMemory{2, 1}, kQueryGradMemory{3, 1}, kKeyGradMemory{4, 2},
    kBiasGradMemory{1, 0};

/// Returns the shared memory of a block [bytes].
constexpr int64_t shared_bytes(int width, KernelMemory memory, int owned) {
  const int64_t rows = (memory.sets * owned + kTile) * row_stride(width) * kFloatBytes;
  return rows + owned * kTile * (memory.squares * kFloatBytes + kBitsBytes);
}

/// Returns the largest number in kOwnedRows with which a block fits into `limit` bytes of shared
/// memory; 0 if none fits. The number changes no bit of a result, since each row's sums have their
/// own order.
constexpr int rows_that_fit(int width, KernelMemory memory, int64_t limit) {
  for (const int owned : kOwnedRows) {
    if (shared_bytes(width, memory, owned) <= limit) return owned;
  }
  return 0;
}

}  // namespace rethink::attention_tiles
