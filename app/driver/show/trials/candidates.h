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
      rows;  // candidate, mean (none if a trial is not done, or diverged), n, diverged, chosen
};

/// Returns the candidates in a trial's configuration, in order; nothing for other trials. `folder`
/// is the store's.
std::optional<Candidates> candidates_of(Store& store, const std::filesystem::path& folder,
                                        const TrialRow& trial);

/// Returns "Candidates, by their mean dev/score over seeds" and the rows as text.
std::string to_text(const Candidates& candidates);

}  // namespace rethink
