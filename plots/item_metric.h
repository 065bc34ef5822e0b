// How metrics follow from the losses of items, as the worker's schema says it.
#pragma once

#include <map>
#include <string>

#include "core/schema.h"

namespace rethink {

struct ItemMetric {
  bool over_items = false;  // mean over items of an item's loss per token; else over all tokens
  std::string shown_as;     // nats, bits, or exp

  double value(double mean_nats) const;
};

/// The metric that evaluate.metric names, or the data set; a trial records it under both names.
inline constexpr const char* kScore = "score";

using ItemMetrics = std::map<std::string, ItemMetric>;  // by name

/// Those whose facts say
///   {"items": {"mean_over": "tokens"|"items", "shown_as": "nats"|"bits"|"exp"}}
ItemMetrics item_metrics(const Schema& schema);

}  // namespace rethink
