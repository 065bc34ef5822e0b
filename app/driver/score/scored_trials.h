// Selects trials of a store by sweep, stage, labels and seed, as tables do: the trials that
// `rethink score submission` sends to a server, and whose scores `rethink score import` reads.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/config/written_values.h"
#include "plots/spec_reader.h"
#include "results/store/store.h"

namespace rethink {

/// What a trial was run with: values by their keys, the names that `where` takes.
using TrialOptions = std::map<std::string, RecordedValue>;

/// A stage of a sweep that was run.
struct RunStage {
  Word sweep, profile, stage;
};

struct ScoredTrial {
  std::string id;  // of a stage of select, its winner
  std::optional<int64_t> seed;
  std::optional<TrialState> state;            // none: the store does not know it
  std::map<std::string, std::string> labels;  // of the stage; none: it was named by its id
  TrialOptions options{};

  /// "task=CoLA seed 0"
  std::string title() const;
  /// What it has as a label or else as an option; none: neither.
  std::optional<RecordedValue> value_of(const std::string& key) const;
};

/// Every trial of the stage on record, of a select those that it chose; one that has yet to choose
/// stands for itself. Adds a problem where the store has no such sweep, profile or stage.
std::vector<ScoredTrial> trials_on_record(Store& store, const std::filesystem::path& folder,
                                          const RunStage& stage, Problems& problems);

/// Those whose labels and options are as `where` says, of this seed. Adds a problem for a label,
/// option or value that none has, and where nothing is left.
std::vector<ScoredTrial> trials_with(std::vector<ScoredTrial> trials, const SpecPairs& where,
                                     const std::optional<Word>& seed, Problems& problems);

/// In what the trials differ, by the names that `where` takes, for a message: "pretrain.arm (dense,
/// no diagonal), seed (0, 1)". Options count where labels and seeds are the same. Empty: in nothing
/// of these.
std::string differences_of(const std::vector<ScoredTrial>& trials);

}  // namespace rethink
