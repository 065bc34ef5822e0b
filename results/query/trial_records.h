// Reads the records of many trials for tables and figures, in a fixed number of queries.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/format/numeric_environment.h"
#include "results/folders/artifact_file.h"
#include "results/query/item_outcomes.h"
#include "results/store/store.h"

namespace rethink {

/// "test/perplexity@best" is split "test", name "perplexity@best"; of an artifact's fact, artifact
/// and fact.
struct ValueName {
  std::string split, name;

  std::string text() const { return split + "/" + name; }
  friend auto operator<=>(const ValueName&, const ValueName&) = default;
};

/// Returns the averaged metrics: "dev+dev_mismatched/score" is the mean of two splits' scores; any
/// other name stands for itself.
std::vector<ValueName> parts_of(const ValueName& value);

/// The values that records shall have.
struct WantedValues {
  std::vector<ValueName> metrics;
  std::vector<ValueName> facts;  // of artifacts; each has "bytes", its size
  std::vector<std::string> measurements;
  std::vector<std::string> item_splits;                 // of the artifact of kind predictions
  std::map<std::string, std::string> published_data{};  // data file: SHA-256 of its published bytes
};

struct TrialRecord {
  std::optional<TrialState> state;        // none: the store does not know the trial
  std::optional<AttemptOutcome> outcome;  // of its last attempt; none: it has none that ended
  // "failed", "were cancelled", ...: how its repetition ended, while its earlier result counts
  std::string repetition{};
  std::string begun{};  // when its first attempt began, as wall_time() has it
  std::string device;   // where its last attempt ran
  std::optional<EnvironmentChange> inexact{};  // resumed with another build or machine
  bool resumed_without_proof = false;  // no selftest showed that its program resumes exactly
  std::string outside_code{};        // files that its program ran and that are not in the kept code
  NumericEnvironment environment{};  // of the attempt that is done
  std::optional<int64_t> seed;
  std::vector<std::string> winners;  // of a select stage's trial: the trials it chose, seed by seed
  size_t tied = 0;  // likewise: candidates that were as good as the winner, with it; 0: not known
  std::map<std::string, double> values;                // metrics and facts by ValueName::text
  std::map<std::string, std::vector<double>> heads{};  // of places, by the same; filled by plots
  std::map<std::string, std::string> sources;  // of imported scores, by the same: who, and when
  std::set<std::string> not_finite;            // metrics whose last value is no finite number
  std::map<std::string, double> measurements;  // the last of each
  std::map<std::string, ItemOutcomes> items;   // by split
  std::string items_problem;  // why there are none, though the trial names them, and what to do
  std::vector<std::string> other_data;  // its data files that are not the published ones
  /// Values in a damaged or lost file, by the same names: the problem and its remedy.
  std::map<std::string, std::string> damaged{};
};

using TrialRecords = std::map<std::string, TrialRecord>;  // by trial

/// Returns records of those `trials` that the store knows, and of the winners of selects among
/// them. `folder` is the store's.
TrialRecords read_trial_records(Store& store, const std::filesystem::path& folder,
                                const std::vector<std::string>& trials, const WantedValues& wanted);

/// Returns the values of one metric at every step, in rising order, for each trial that has some.
/// Cost: one query.
std::map<std::string, std::vector<std::pair<int64_t, double>>> read_curves(
    Store& store, const std::vector<std::string>& trials, const ValueName& metric);

/// Returns the file of the artifact `name` of each of `trials` that has one, after comparing it
/// with its recorded SHA-256. `folder` is the store's. Throws ConfigError for a snapshot, which has
/// no files. Cost: reads each file.
std::map<std::string, ArtifactFile> artifact_files(Store& store,
                                                   const std::filesystem::path& folder,
                                                   const std::vector<std::string>& trials,
                                                   const std::string& name);

}  // namespace rethink
