// The facts that a metric declares (experiments/train/metrics.h).
#pragma once

#include "core/config/options.h"

namespace rethink {

/// How a metric follows from items, for tests over them: from the losses of sequences, or from counts of sentences,
/// which add up. Metrics of kind "labels" and "answers" do without (plots/table/cells/item_metric.h).
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
      most{};  // of its values; what has a greatest one is often given in %
  void fields(Fields& field);
};

}  // namespace rethink
