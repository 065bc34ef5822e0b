// The range of an imported score, where the metric of the score is known.
#pragma once

#include <optional>
#include <string>

#include "results/store/store.h"

namespace rethink {

/// Values that a score can have: in %, where `is_percent`.
struct ScoreRange {
  double least = 0;
  std::optional<double> most;  // nothing: unbounded
  std::string metric;          // "mcc"
  bool is_percent = false;

  bool has(double value) const { return value >= least && (!most || value <= *most); }
  /// "expected from -100 to 100: mcc in %"
  std::string expectation() const;
};

/// The range of the score `name` of a trial. The metric is the one that the data set's server gives
/// for `name`, or the metric called `name`, or, for a split's name, the one that papers report.
/// Nothing where none of these is known.
std::optional<ScoreRange> score_range(Store& store, const std::string& trial,
                                      const std::string& name);

}  // namespace rethink
