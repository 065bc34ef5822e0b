// The values of trials that a table reads from the store.
#pragma once

#include <map>
#include <string>

#include "core/config/schema.h"
#include "plots/table/table_spec.h"
#include "results/query/trial_records.h"

namespace rethink {

struct Grid;

/// Purpose of a table.
enum class TableUse {
  reading,  // with the tests that its spec asks for
  claims,   // they test its cells themselves, over the items of any, which are read from files
};

/// What the cells of a spec are made of and marked by. `schema`: of the data sets, whose facts say
/// which bytes were published ("sources" in datasets/files/data_files.h).
WantedValues wanted_values(const TableSpec& spec, const Schema& schema,
                           TableUse use = TableUse::reading);

/// Returns null without one.
const TrialRecord* find_record(const TrialRecords& records, const std::string& trial);

/// How much data a trial learned from.
WantedValues wanted_training_data();
/// A trial that trains nothing, as an analysis, is marked by the data of those it looks into: its
/// record takes that of the nearest trials that it comes from. `needed`: of parents_of(grid), with
/// wanted_training_data().
void take_training_data(const Grid& grid, const TrialRecords& needed, TrialRecords& records);

/// The artifact file of each trial that a figure or a table of words shows.
using ArtifactFiles = std::map<std::string, ArtifactFile>;

/// Measurements that cells are marked by, where a trial has them: what arms should have in common,
/// and how much of a data set there was.
namespace measured {
inline constexpr const char* kParameters = "parameters";
inline constexpr const char* kTokens = "tokens_seen";
/// Of a job `bench`: which limit ended it without times, 1 the memory's, 2 the time's.
inline constexpr const char* kLimit = "limit";
inline constexpr double kTimeLimit = 2;
/// Examples of a split that a trial used, and that were published.
inline std::string examples(const std::string& split) {
  return split + "_examples";
}
inline std::string official_examples(const std::string& split) {
  return examples(split) + "_official";
}
/// How many different answers the examples of a metric's split got, where the metric is measured.
inline std::string answers(const ValueName& metric) {
  const size_t at = metric.name.find('@');
  return metric.split + "_answers" + (at == std::string::npos ? "" : metric.name.substr(at));
}
}  // namespace measured

}  // namespace rethink
