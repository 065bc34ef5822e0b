// Metrics that are computed from predictions of items, and resamples of the items (Efron and
// Tibshirani, 1993).
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/config/schema.h"
#include "results/records/item_outcomes.h"

namespace rethink {

/// Returns a metric of all items' predicted and expected labels; NaN if it is not defined.
using LabelMetric =
    std::function<double(std::span<const double> predicted, std::span<const double> expected)>;

/// Returns BLEU of the summed counts of all items.
using CountMetric = std::function<double(const ItemOutcomes::BleuCounts& sums, bool is_smoothed)>;

/// How a metric is computed from items of trials' predictions, by the worker's schema: "items" from
/// losses or from sums of counts, "kind": "labels" from predicted and expected labels, and "labels"
/// or "answers" as the mean of the items' own scores.
struct ItemMetric {
  bool over_items = false;  // for losses: mean over items of the loss per token; else over all
                            // tokens
  std::string shown_as{};   // for losses: nats, bits, or exp; empty: it does not follow from them
  LabelMetric of_labels{};  // empty: it does not follow from labels
  std::string own_score{};  // items' scores whose mean it is; empty: none
  CountMetric of_counts{};  // empty: it does not follow from counts

  double value(double mean) const;
};

/// Name under which a trial records the metric of evaluate.metric or of the data set, beside its own name.
inline constexpr const char* kScore = "score";

using ItemMetrics = std::map<std::string, ItemMetric>;  // by name

/// Returns the metrics that follow from items by `schema`. Metrics of labels and BLEU are computed
/// by datasets/scores, as in a trial.
ItemMetrics item_metrics(const Schema& schema);

// Resamples of the items of a test split, drawn with replacement, and a trial's metric on each
// (Efron and Tibshirani, 1993).

constexpr size_t kItemResamples = 2000;  // at least

/// Resamples beyond zero on which a p at the threshold rests.
constexpr double kBeyondThreshold = 25;

/// Returns so many that a p at `alpha`, corrected for `comparisons`, rests on kBeyondThreshold resamples and has a
/// relative error of a fifth. If a p rested on one or two, chance would decide about a star.
size_t resamples_for(size_t comparisons, double alpha);

/// Returns whether `items` have the values that the metric needs.
bool follows_from(const ItemOutcomes& items, const ItemMetric& metric);

/// Returns the metric; NaN if it is not defined. Items without a predicted token do not count.
/// Requires, also below: follows_from(items, metric).
double metric_on_all(const ItemOutcomes& items, const ItemMetric& metric);

using Resampled = std::vector<double>;  // one number per resample

/// Returns the resampled metric of each of `trials`, which have equal numbers of items. A resample
/// has the same items for all trials, and more resamples begin with the same ones. A resample on
/// which a metric of labels is not defined, such as a correlation with equal expected values,
/// counts as 0. Cost: draws each resample once, and computes for each trial a metric of labels, or
/// two sums (for BLEU ten). Uses all cores, so the metric's functions must be thread-safe.
std::vector<Resampled> resample_items(const std::vector<const ItemOutcomes*>& trials,
                                      const ItemMetric& metric, size_t resamples = kItemResamples);

}  // namespace rethink
