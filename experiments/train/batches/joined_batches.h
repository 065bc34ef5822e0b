// The number of accumulated batches of a step that one pass on a GPU takes.
#pragma once

#include <cstdint>

#include "core/activation_bytes.h"

namespace rethink {

/// Returns the number of batches per pass, from 1 to `most`: enough to keep a GPU busy, and within
/// the share of `gpu_bytes` that a pass may take. `batch` is the size of the largest batch.
int64_t batches_that_fit(const PassShape& batch, int64_t most, int64_t gpu_bytes);

}  // namespace rethink
