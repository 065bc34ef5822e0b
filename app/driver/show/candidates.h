// The candidates of a select stage's trial.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "results/query/run_query.h"

namespace rethink {

struct Candidates {
  std::string by;  // the metric: "dev/score"
  QueryResult
      rows;  // candidate, mean (none while a trial is not done, or diverged), n, diverged, chosen
};

/// Returns the candidates that a trial's configuration names, in its order; none for any other
/// trial. `folder` is the store's.
std::optional<Candidates> candidates_of(Store& store, const std::filesystem::path& folder,
                                        const TrialRow& trial);

/// "Candidates, by their mean dev/score over seeds" and the rows as text.
std::string to_text(const Candidates& candidates);

}  // namespace rethink
