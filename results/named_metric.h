// Metrics that people name in a query: "dev/mcc", "dev/loss@tail".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/store.h"

namespace rethink {

struct NamedMetric {
  std::string split, name;  // dev, mcc
};

/// "dev/mcc" taken apart; none where there is no split.
std::optional<NamedMetric> named_metric(const std::string& text);

bool any_trial_has(Store& store, const NamedMetric& metric);

/// Throws ConfigError when no trial has the metric `text`, with the known metrics ("did you mean").
NamedMetric required_metric(Store& store, const std::string& text, const NamedMetric& metric);

/// All values of the only column of `sql`, sorted.
std::vector<std::string> all_names(Store& store, const std::string& sql);

/// The first names; where there are more, with the query that lists all.
std::string first_of(std::vector<std::string> names, const Store& store, const std::string& sql);

}  // namespace rethink
