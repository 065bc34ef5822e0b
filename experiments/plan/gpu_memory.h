// Estimates the GPU memory of a trial's training before it runs.
#pragma once

#include <optional>

#include "core/json_fwd.h"

namespace rethink {

struct GpuMemory {
  double bytes = 0;            // total
  double scores_gradient = 0;  // part for gradients of learned scores, [batch,heads,tokens,tokens]
};

/// Returns the GPU memory of a trial by its options: weights with gradients and moments, and one
/// pass over a batch (core/activation_bytes.h). Returns nothing if the options do not determine the
/// model's shape (model_shape.h). `learns_scores` is the attention's fact.
std::optional<GpuMemory> estimated_gpu_memory(const Json& config, bool learns_scores);

}  // namespace rethink
