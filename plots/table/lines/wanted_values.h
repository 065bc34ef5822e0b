// The values that a table reads from the store.
#pragma once

#include <map>
#include <string>

#include "core/config/schema.h"
#include "plots/table/table_spec.h"
#include "results/records/trial_records.h"

namespace rethink {

struct Grid;

/// Purpose of a table.
enum class TableUse {
  reading,  // with the tests in its spec
  claims,   // claims test the cells themselves, over items of any cell, which are read from files
};

/// Returns the values that the cells of a spec and their marks need. `schema` has the data sets'
/// facts, which say which bytes were published ("sources" in datasets/files/data_files.h).
WantedValues wanted_values(const TableSpec& spec, const Schema& schema,
                           TableUse use = TableUse::reading);

/// Returns null without one.
const TrialRecord* find_record(const TrialRecords& records, const std::string& trial);

/// Returns the values that say how much data a trial learned from.
WantedValues wanted_training_data();
/// Gives the record of a trial without training, such as an analysis, the training data of its
/// nearest trained ancestors, by which it is marked. `needed` has the records of needed_trials(grid),
/// read by wanted_training_data().
void take_training_data(const Grid& grid, const TrialRecords& needed, TrialRecords& records);

/// The artifact file, by trial, for figures and tables of words.
using ArtifactFiles = std::map<std::string, ArtifactFile>;

/// Measurements that lead to marks, if trials have them: properties that arms should share, and the
/// amount of data.
namespace measured {
inline constexpr const char* kParameters = "parameters";
inline constexpr const char* kTokens = "tokens_seen";
/// For a job `bench`, the limit that ended it without times: 1 memory, 2 time.
inline constexpr const char* kLimit = "limit";
inline constexpr double kTimeLimit = 2;
/// Number of examples of a split that a trial used, and that were published.
inline std::string examples(const std::string& split) {
  return split + "_examples";
}
inline std::string official_examples(const std::string& split) {
  return examples(split) + "_official";
}
/// Number of different answers for the examples of a metric's split, if measured.
inline std::string answers(const ValueName& metric) {
  const size_t at = metric.name.find('@');
  return metric.split + "_answers" + (at == std::string::npos ? "" : metric.name.substr(at));
}
}  // namespace measured

}  // namespace rethink
