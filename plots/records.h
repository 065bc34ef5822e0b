// What the store knows about the trials of a table, read at once.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "plots/spec.h"
#include "results/store.h"

namespace rethink {

/// A trial as its cells see it.
struct TrialRecord {
  std::string state;     // of attempts.md 4; empty: the store does not know the trial
  std::string outcome;   // of its last attempt: "oom", "killed", ...
  std::string device;    // where the last attempt ran
  bool inexact = false;  // resumed on another kind of machine
  std::optional<int64_t> seed;
  std::vector<std::string> winners;            // of a select stage's trial: the trials it chose, seed by seed
  std::map<std::string, double> values;        // "test/perplexity@best", "mask/sparsity", "imported/score"
  std::map<std::string, double> measurements;  // "parameters"
};

using Records = std::map<std::string, TrialRecord>;  // by trial

/// The values that cells of a spec are made of.
struct WantedValues {
  std::vector<ValueName> metrics;  // imported scores too: split "imported"
  std::vector<ValueName> facts;    // artifact/fact
  std::vector<std::string> measurements;
};

WantedValues wanted_values(const TableSpec& spec);

/// Measurements that cells are marked by, where a trial has them: what arms should have in common, and how
/// much of a data set there was.
namespace measured {
inline constexpr const char* kParameters = "parameters";
inline constexpr const char* kTokens = "tokens";
inline constexpr const char* kExamples = "train_examples";
inline constexpr const char* kOfficialExamples = "train_examples_official";
}  // namespace measured

/// Records of those of `trials` that the store knows. Cost: a few queries, whatever the number of trials.
Records read_records(const Store& store, const std::vector<std::string>& trials, const WantedValues& wanted);

}  // namespace rethink
