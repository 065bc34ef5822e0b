// The recorded names of a store: metrics as in a query, measurements, facts of artifacts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "results/store/store.h"

namespace rethink {

struct NamedMetric {
  std::string split, name;  // dev, mcc
};

/// A name that no trial has recorded, but that a metric may have later.
struct UnknownName : ConfigError {
  UnknownName(MessageCode code, const std::string& unknown, const std::string& text)
      : ConfigError(code, text), name(unknown) {}
  std::string name;
};

/// Returns the parts of "dev/mcc"; nothing without a split.
std::optional<NamedMetric> named_metric(const std::string& text);

bool any_trial_has(Store& store, const NamedMetric& metric);

/// Throws UnknownName if no trial has the metric `text`, with the known metrics ("did you mean").
NamedMetric required_metric(Store& store, const std::string& text, const NamedMetric& metric);

/// Returns what to do about a metric or measurement where a label, setting or column is expected,
/// as in a condition; "" if `name` is neither. `comparison` is the SQL that the condition compares
/// it with, such as "> 0.5", which the advice repeats; "" = no number. `is_part` says that the
/// condition has more parts.
std::string metric_in_condition_text(Store& store, const std::string& name,
                                     const std::string& comparison, bool is_part);

/// Returns all values of the only column of `sql`, sorted.
std::vector<std::string> all_names(Store& store, const std::string& sql);

/// Returns the first names, or "none". If there are more, it adds the command (its words) that
/// lists all.
std::string first_names(const std::vector<std::string>& names, const Store& store,
                        const std::string& command);

/// Recorded names beside metrics, for messages on a misspelt name.
struct RecordedNames {
  std::vector<std::string> measurements;  // "parameters"
  std::vector<std::string> facts;         // numbers that artifacts have as facts: "mask/sparsity"
};

/// Returns the sorted names that any of `trials` recorded, without duplicates. Cost: two queries.
RecordedNames recorded_names(Store& store, const std::vector<std::string>& trials);

}  // namespace rethink
