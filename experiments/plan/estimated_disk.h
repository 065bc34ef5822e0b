// Estimates the disk space of training without earlier measurements, from the configuration.
#pragma once

#include <optional>

#include "core/json_fwd.h"

namespace rethink {

struct EstimatedDisk {
  double weights = 0;     // of the trained model [bytes], if they are kept
  double checkpoint = 0;  // of one checkpoint [bytes]
};

/// Returns the size of a trial's model in float32, and of a checkpoint: the model with the two
/// moments of Adam and LAMB. Biases, norms, positions, predictions and logs do not count. Returns
/// nothing if the options do not determine the model's shape (model_shape.h).
std::optional<EstimatedDisk> estimated_disk(const Json& config);

}  // namespace rethink
