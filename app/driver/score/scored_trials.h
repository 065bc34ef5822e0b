// Selects trials of a store by sweep, stage, labels and seed, as tables do: the trials that
// `rethink score submission` sends to a server, and whose scores `rethink score import` reads.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/yaml/written_values.h"
#include "plots/spec_reader.h"
#include "results/store/store.h"

namespace rethink {

/// A trial's values by their keys, the names that `where` accepts.
using TrialOptions = std::map<std::string, RecordedValue>;

/// A stage of a sweep that was run.
struct RunStage {
  Word sweep, profile, stage;
};

struct ScoredTrial {
  std::string id;  // for a select stage, its winner
  std::optional<int64_t> seed;
  std::optional<TrialState> state;            // none: the store lacks the trial
  std::map<std::string, std::string> labels;  // of the stage; none: the trial was named by its id
  TrialOptions options{};

  /// Returns "task=CoLA seed 0".
  std::string title() const;
  /// Returns the value of a label or else of an option; nothing without both.
  std::optional<RecordedValue> value_of(const std::string& key) const;
};

/// Returns every recorded trial of the stage; for a select its chosen trials. A select without a
/// result is returned itself. Adds a problem if the store lacks the sweep, profile or stage.
std::vector<ScoredTrial> trials_on_record(Store& store, const std::filesystem::path& folder,
                                          const RunStage& stage, Problems& problems);

/// Returns trials of this seed whose labels and options match `where`. Adds a problem for a label,
/// option or value that no trial has, and if no trial remains.
std::vector<ScoredTrial> trials_with(std::vector<ScoredTrial> trials, const SpecPairs& where,
                                     const std::optional<Word>& seed, Problems& problems);

/// Returns the differences between trials, by names that `where` accepts, for a message:
/// "pretrain.arm (dense, no diagonal), seed (0, 1)". Options count if labels and seeds are equal.
/// "" without such a difference.
std::string differences_of(const std::vector<ScoredTrial>& trials);

}  // namespace rethink
