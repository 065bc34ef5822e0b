// Resamples of the items of a test split, drawn with replacement, and a trial's metric on each
// (Efron and Tibshirani, 1993).
#pragma once

#include <vector>

#include "plots/table/item_metric.h"
#include "results/query/item_outcomes.h"

namespace rethink {

constexpr size_t kItemResamples = 2000;  // at least

/// Resamples beyond zero that stand behind a p at the threshold.
constexpr double kBeyondThreshold = 25;

/// So many that a p at `alpha`, corrected for `comparisons`, still rests on kBeyondThreshold of them,
/// and has a relative error of a fifth: with one or two a star hung on which resamples were drawn.
size_t resamples_for(size_t comparisons, double alpha);

/// Whether `items` have what the metric is made of.
bool follows_from(const ItemOutcomes& items, const ItemMetric& metric);

/// nan where it is not defined. Items without a predicted token count for nothing. Requires:
/// follows_from(items, metric); likewise below.
double metric_on_all(const ItemOutcomes& items, const ItemMetric& metric);

/// The metric on all items of a trial, and on each resample of them.
struct ResampledMetric {
  double on_all = 0;
  std::vector<double> resampled;
};

/// Of each of `trials`, which have equal numbers of items: one resample is of the same items of all,
/// and more resamples begin with the same. A resample on which a metric of labels is not defined, as
/// a correlation where all expected ones are equal, tells nothing: 0. Cost: each resample is drawn
/// once, and is a metric of labels, or else two sums, of BLEU ten, for each trial; shared out among the
/// cores, so that what the metric calls must be callable by several threads.
std::vector<ResampledMetric> resample_items(const std::vector<const ItemOutcomes*>& trials,
                                            const ItemMetric& metric,
                                            size_t resamples = kItemResamples);

}  // namespace rethink
