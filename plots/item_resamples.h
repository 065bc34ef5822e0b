// Resamples of the items of a test split, drawn with replacement, and a trial's metric on each
// (Efron and Tibshirani, 1993).
#pragma once

#include <vector>

#include "plots/item_metric.h"
#include "results/item_outcomes.h"

namespace rethink {

constexpr int kItemResamples = 2000;

/// Whether `items` have what the metric is made of.
bool follows_from(const ItemOutcomes& items, const ItemMetric& metric);

/// nan where it is not defined. Items without a predicted token count for nothing. Requires:
/// follows_from(items, metric); likewise below.
double metric_on_all(const ItemOutcomes& items, const ItemMetric& metric);

/// The metric on all items, and on each of kItemResamples resamples. Equal numbers of items get
/// equal resamples, so that values of several trials pair. A resample on which a metric of labels is
/// not defined, as a correlation where all expected ones are equal, tells nothing: 0. Cost: of
/// labels that of kItemResamples metrics, of anything else that of as many sums.
struct ResampledMetric {
  double on_all = 0;
  std::vector<double> resampled;
};
ResampledMetric resample_items(const ItemOutcomes& items, const ItemMetric& metric);

}  // namespace rethink
