// Finds the first signs of a diverged trial: in its gradients, its attention or its loss.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/store/store.h"

namespace rethink {

/// The first step at which a series left its course.
struct FirstSign {
  std::string name;  // as stored, of the split `train`: "gradient_norm", "step_loss"
  int64_t step = 0;
  std::optional<double> value;  // nothing: not finite
  std::optional<double>
      usual;  // the median of the steps before; nothing: the first value is the sign
};

/// Returns, by step, the series of `train` of a diverged trial that became infinite or NaN, or more
/// than a multiple of the median of its earlier values (ten times; the loss twice). After a retry they are
/// those of the attempt that diverged, until another begins. Empty for every other trial.
std::vector<FirstSign> first_signs(Store& store, const std::string& trial);

}  // namespace rethink
