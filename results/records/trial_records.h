// Reads the records of many trials for tables and figures, in a fixed number of queries.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/store_files/numeric_environment.h"
#include "results/folders/artifact_file.h"
#include "results/records/item_outcomes.h"
#include "results/store/store.h"

namespace rethink {

/// The name of a value. "test/perplexity@best" has the split "test" and the name "perplexity@best";
/// a fact of an artifact has artifact and fact.
struct ValueName {
  std::string split, name;

  std::string text() const { return split + "/" + name; }
  friend auto operator<=>(const ValueName&, const ValueName&) = default;
};

/// Returns the averaged metrics: "dev+dev_mismatched/score" is the mean of two splits' scores; any
/// other name stands for itself.
std::vector<ValueName> parts_of(const ValueName& value);

/// The values that records must contain.
struct WantedValues {
  std::vector<ValueName> metrics;
  std::vector<ValueName> facts;  // facts of artifacts; each artifact has "bytes", its size
  std::vector<std::string> measurements;
  std::vector<std::string> item_splits;  // splits of the artifact of kind predictions
  std::map<std::string, std::string> published_data{};  // data file: SHA-256 of its published bytes
};

struct TrialRecord {
  std::optional<TrialState> state;        // none: the store lacks the trial
  std::optional<AttemptOutcome> outcome;  // of its last attempt; none: no attempt has ended
  // Its state after a repetition without a result, so that its earlier result counts.
  std::optional<TrialState> repetition{};
  std::string begun{};                         // begin of its first attempt, as from wall_time()
  std::string device;                          // of its last attempt
  std::optional<EnvironmentChange> inexact{};  // resumed with another build or machine
  bool resumed_without_proof = false;  // no selftest has shown that its program resumes exactly
  std::string outside_code{};          // files that its program ran and that the kept code lacks
  NumericEnvironment environment{};    // of the done attempt
  std::optional<int64_t> seed;
  std::vector<std::string> winners;  // for a trial of a select stage: the chosen trials, by seed
  size_t tied = 0;  // likewise: candidates equal to the winner, with the winner; 0: unknown
  std::map<std::string, double> values;                // metrics and facts by ValueName::text
  std::map<std::string, std::vector<double>> heads{};  // by the same names; filled by plots
  std::map<std::string, std::string> sources;  // of imported scores, by these names: source and day
  std::set<std::string> not_finite;            // metrics whose last value is not finite
  std::map<std::string, double> measurements;  // last value of each
  std::map<std::string, ItemOutcomes> items;   // by split
  std::string items_problem;  // why they are missing although the trial lists them, and what to do
  std::vector<std::string> other_data;  // data files that differ from the published files
  /// Values in a damaged or missing file, by the same names: the problem and its remedy.
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
