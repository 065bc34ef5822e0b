// The facts that a metric declares (experiments/train/metrics.h).
#pragma once

#include "core/config/options.h"

namespace rethink {

/// How a metric is computed from items, for statistical tests: from the losses of sequences, or
/// from counts of sentences, which add up. Metrics of kind "labels" and "answers" need no such
/// entry (plots/table/cells/item_metric.h).
struct MetricItems {
  std::string mean_over{}, shown_as{}, sums_of{};
  void fields(Fields& field);
};

struct MetricFacts {
  std::string kind{};
  std::string direction{};
  std::optional<MetricItems> items{};
  std::string unit{};
  std::optional<double> least{},
      most{};  // the greatest possible value; metrics that have one are often given in %
  void fields(Fields& field);
};

}  // namespace rethink
