// How many accumulated batches of a step one pass on a GPU takes.
#pragma once

#include <cstdint>

#include "core/activation_bytes.h"

namespace rethink {

/// Of the `most` batches of a step, each as large as `batch` at most: as many as keep a GPU busy and fit the
/// share of its `gpu_bytes` that a pass may take. At least 1.
int64_t batches_that_fit(const PassShape& batch, int64_t most, int64_t gpu_bytes);

}  // namespace rethink
