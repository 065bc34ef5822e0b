// How metrics follow from what trials' predictions say of each item, as the worker's schema says
// it: "items" from losses or from sums of counts, "kind": "labels" from predicted and expected
// labels, and that or "answers" as the mean of scores that each item has of its own.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>

#include "core/config/schema.h"
#include "results/query/item_outcomes.h"

namespace rethink {

/// A metric of all items' predicted and expected labels; nan where it is not defined.
using LabelMetric =
    std::function<double(std::span<const double> predicted, std::span<const double> expected)>;

/// BLEU of all items' counts, added up.
using CountMetric = std::function<double(const ItemOutcomes::BleuCounts& sums, bool is_smoothed)>;

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

/// Those that `schema` says to follow from items. `labelled` has the metrics of labels, by name, and
/// `bleu` that of counts: datasets/scores, which this room does not know.
ItemMetrics item_metrics(
    const Schema& schema,
    const std::function<double(const std::string& name, std::span<const double> predicted,
                               std::span<const double> expected)>& labelled,
    const CountMetric& bleu);

}  // namespace rethink
