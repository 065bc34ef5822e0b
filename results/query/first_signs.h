// Finds the first signs of a diverged trial: in its gradients, its attention or its loss.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "results/store/store.h"

namespace rethink {

/// The first step at which a series left its course.
struct FirstSign {
  std::string name;  // "gradient_norm", of the split `train`
  int64_t step = 0;
  double value = 0.0;  // NaN where it was no number
  double usual = 0.0;  // the median of the steps before
};

/// Of a diverged trial, by step: the series of `train` that became infinite or no number, or more than a multiple of
/// the median of its earlier values (ten times; the loss twice). Empty for every other trial.
std::vector<FirstSign> first_signs(Store& store, const std::string& trial);

}  // namespace rethink
