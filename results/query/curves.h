// Curves of a metric over the steps: the mean of each group of trials.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/trial_state.h"
#include "results/store/store.h"

namespace rethink {

/// One value of a curve: mean over the trials of a group at one step.
struct CurvePoint {
  int64_t step = 0;
  double value = 0;
  int64_t trials = 0;
};

struct Curve {
  std::string label;  // values of `by`, joined with ", "; empty without by
  std::vector<CurvePoint> points;
  int64_t trials = 0;        // number of trials with a value at some step
  int64_t diverged = 0;      // number of these that diverged
  TrialCounts unfinished{};  // number of these that are neither done nor diverged, by state
  bool has_done = false;     // true: the curve has only done trials; false: all
};

/// Returns the curves of "SPLIT/NAME" for the trials that `where` keeps. Trials without any of the
/// keys in `by` are in no curve. Throws ConfigError.
std::vector<Curve> curves(Store& store, const std::string& metric, const std::string& where,
                          const std::vector<std::string>& by);

/// Returns the trials that are not done and in no curve, since they have no finite value at any
/// step, although other trials of their job have the metric. Throws ConfigError as curves().
TrialCounts trials_without_curve(Store& store, const std::string& metric, const std::string& where,
                                 const std::vector<std::string>& by);

}  // namespace rethink
