// Metrics that are computed from predictions of items, and resamples of the items (Efron and
// Tibshirani, 1993).
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/config/schema.h"
#include "results/query/item_outcomes.h"

namespace rethink {

/// A metric of all items' predicted and expected labels; nan where it is not defined.
using LabelMetric =
    std::function<double(std::span<const double> predicted, std::span<const double> expected)>;

/// BLEU of all items' counts, added up.
using CountMetric = std::function<double(const ItemOutcomes::BleuCounts& sums, bool is_smoothed)>;

/// How a metric follows from what trials' predictions say of each item, as the worker's schema says
/// it: "items" from losses or from sums of counts, "kind": "labels" from predicted and expected
/// labels, and that or "answers" as the mean of scores that each item has of its own.
struct ItemMetric {
  bool over_items = false;  // of losses: mean over items of an item's loss per token; else over all
                            // tokens
  std::string shown_as{};   // of losses: nats, bits, or exp; empty: it does not follow from them
  LabelMetric of_labels{};  // empty: it does not follow from labels
  std::string own_score{};  // the items' scores that it is the mean of; empty: of none
  CountMetric of_counts{};  // empty: it does not follow from counts

  double value(double mean) const;
};

/// The metric that evaluate.metric names, or the data set; a trial records it under both names.
inline constexpr const char* kScore = "score";

using ItemMetrics = std::map<std::string, ItemMetric>;  // by name

/// Those that `schema` says to follow from items; what a metric of labels or BLEU is worth is asked of
/// datasets/scores, as a trial does.
ItemMetrics item_metrics(const Schema& schema);

// Resamples of the items of a test split, drawn with replacement, and a trial's metric on each
// (Efron and Tibshirani, 1993).

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

using Resampled = std::vector<double>;  // a number of each resample

/// The metric of each of `trials`, which have equal numbers of items: one resample is of the same
/// items of all, and more resamples begin with the same. A resample on which a metric of labels is
/// not defined, as a correlation where all expected ones are equal, tells nothing: 0. Cost: each
/// resample is drawn once, and is a metric of labels, or else two sums, of BLEU ten, for each trial;
/// shared out among the cores, so that what the metric calls must be callable by several threads.
std::vector<Resampled> resample_items(const std::vector<const ItemOutcomes*>& trials,
                                      const ItemMetric& metric, size_t resamples = kItemResamples);

}  // namespace rethink
