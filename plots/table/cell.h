// A cell of a table: its samples by seed, their mean and spread, and what must be said about it
// (marks).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/format/numeric_environment.h"
#include "plots/table/grid.h"
#include "plots/table/records.h"
#include "plots/table/table_spec.h"
#include "results/statistics/statistics.h"

namespace rethink {

/// What must be said about a cell.
enum class MarkKind {
  needs_data,  // a trial has no id, since nothing tells what is in a file that it reads
  missing,
  running,
  failed,
  oom,
  killed,
  timeout,
  cancelled,
  blocked,         // a trial has yet to run
  no_value,        // done, without the metric
  not_imported,    // done, and nobody imported a score
  damaged,         // done, and the file with the value is damaged or gone
  diverged,        // ended so, or done with a value that is no finite number
  not_planned,     // the profile leaves it out
  not_applicable,  // its trials are done and have no such artifact: dense attention has no mask
  memory_limit,    // done without the value: the trial was to end there
  time_limit,
  few_seeds,
  partial_data,
  other_data,  // compared with a paper, and not of the data that was published
  empty_mask,  // a trial's mask hides every place
  constant,    // a trial gives every example of the split the same answer
  unlike,
  not_comparable,  // paired_bootstrap has no predictions to compare
  selected_on_it,  // the reported step was chosen on the split that is reported
  tied,            // others were as good as the candidate that was chosen
  inexact,         // resumed with another build or machine than the checkpoint's
  mixed,           // its trials ran with several builds or machines
  kept,            // an earlier result: the trial failed when it ran again for its weights
  imported,
  published,
};

struct Mark {
  MarkKind kind;
  std::string text;  // one clause for the footnote: "1 of 3 seeds diverged"
};

/// The mark's name as it stands in CSV and JSON, and in a cell without a number: "out of memory".
const char* to_text(MarkKind kind);

/// What a mark says: its kind, unless the clause says it already, and the clause.
std::string footnote_text(const Mark& mark);

/// One seed's number; the mean over its trials where a cell averages over axes.
struct Sample {
  int64_t seed = 0;  // 0 for trials without one
  double value = 0;
};

/// What one of a table's tests says of a cell against its baseline.
struct CellTest {
  std::optional<double> p;  // corrected
  bool significant = false;
  bool unvaried = false;  // no p, since its seeds differ from the baseline's all by the same
};

struct Cell {
  CellKind kind = CellKind::metric;
  std::vector<std::string> trials;       // planned; the winner's for a cell of a select stage
  std::vector<int64_t> trial_seeds;      // of each of these
  std::vector<std::string> trial_begun;  // when the first attempt of each began; empty: not yet
  std::vector<std::string> selects;      // of a select stage: the trials that chose them
  std::set<std::string> lacks;           // of trials without an id: what brings their files
  std::vector<Sample> samples;           // by seed
  std::map<int64_t, std::vector<double>> heads;  // of places: each head's number, by seed
  std::set<int64_t> planned_seeds;
  std::vector<int64_t> diverged;                  // seeds of which a trial diverged
  std::map<int64_t, std::set<MarkKind>> lacking;  // seeds without a number: the reasons
  std::set<size_t> candidates;      // how many each trial's numbers were chosen among; 1: no select
  SeenEnvironments environments{};  // of the trials with a number
  std::vector<std::pair<std::string, std::set<std::string>>>
      arm_facts{};               // what arms should have in common: "parameters": {"1000"}
  std::optional<double> value;   // mean of the samples
  std::optional<double> spread;  // from two samples on
  std::optional<PaperValue> paper;
  std::optional<double> difference;          // ours less the paper's
  std::optional<double> delta, paper_delta;  // to the baseline's row
  std::optional<Interval> delta_interval;    // 95%, of paired_bootstrap
  std::vector<CellTest> tests;               // as many as the table's
  bool best = false, paper_best = false;     // of its column
  std::vector<Mark> marks;

  size_t planned() const { return planned_seeds.size(); }  // seeds
  std::optional<double> value_of(int64_t seed) const;      // its sample's
  bool has(MarkKind mark) const;
  /// No run under this profile gives it a number: of columns' means those too of which one is so.
  bool is_unplanned() const;
  /// A trial has yet to run, or to run again.
  bool waits() const;
  /// It waits, or a trial that is done has not the value.
  bool incomplete() const;
  /// The value leaves out seeds that diverged: a mean of survivors, which is never best and never
  /// tested.
  bool of_survivors() const { return value && !diverged.empty(); }
  /// By any test.
  bool is_significant() const;
};

// One cell from its trials' records, or from other cells.

/// Where a column's cells find their value in a record.
struct CellValue {
  CellKind kind = CellKind::metric;
  ValueName name;
  double scale = 1;  // what is shown is so many times the record's value
};

/// Samples by seed, their mean and spread, and the marks that the trials themselves give.
Cell measure_cell(const CellTrials& trials, const TrialRecords& records, const CellValue& value,
                  const TableSpec& spec);

/// Mean and spread ("sd", "sem", "ci95") of the samples.
void summarize(Cell& cell, const std::string& spread);

/// One whose trials the sweep or its profile leaves out.
Cell unplanned_cell(CellKind kind);

/// A cell made of other cells of its row, seed by seed: their mean, or the first over the second.
/// Missing if one is; marked if the parts have fewer than `wanted_seeds` in common.
Cell combine_cells(const std::vector<const Cell*>& parts, CellKind kind, const std::string& spread,
                   int64_t wanted_seeds);

// The mean that tables and figures share: over seeds, of the mean over each seed's trials, which
// differ in the axes of `over`.

/// The trials of each seed of `cell` of which every trial `has_value`. The others are left out: a
/// mean over some values of an axis does not compare with a mean over all of them.
std::map<int64_t, std::vector<std::string>> whole_seeds(
    const Cell& cell, const std::function<bool(const std::string& trial)>& has_value);

/// Of one seed. Equal values have exactly that value as their mean. Requires: not empty.
double mean_of_trials(const std::vector<double>& values);

}  // namespace rethink
