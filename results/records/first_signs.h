// Finds the first signs of a diverged trial: in its gradients, its attention or its loss.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/store/store.h"

namespace rethink {

/// The first recorded step at which a series is unusual.
struct FirstSign {
  std::string name;  // as stored, of the split `train`: "gradient_norm", "step_loss"
  int64_t step = 0;
  int64_t from = 0;  // the step after the last usual point: the change happened in [from, step]
  std::optional<double> value;  // nothing: not finite
  std::optional<double> usual;  // median of the earlier steps; nothing: the first value is the sign
};

/// Returns, by step, the series of `train` of a diverged trial that became infinite or NaN, or exceeded a multiple of
/// the median of their earlier values (ten times; the loss twice). After a retry the series are those of the diverged
/// attempt, until another attempt begins. Empty for every other trial.
std::vector<FirstSign> first_signs(Store& store, const std::string& trial);

/// Says which of `signs`, as first_signs returns them, may have come before the first one, since their points are more
/// than a step apart: "train/attention_logit_1 (between steps 11 and 20) may have come first"; "" if none.
std::string open_order(const std::vector<FirstSign>& signs);

}  // namespace rethink
