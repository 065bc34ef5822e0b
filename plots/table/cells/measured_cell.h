// Measured cells: the number of each seed, their mean and spread, and the marks of the trials. They
// are made from each cell's planned trials and their records.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/store_files/numeric_environment.h"
#include "plots/table/cells/mark.h"
#include "plots/table/lines/grid.h"
#include "plots/table/lines/table_lines.h"
#include "plots/table/lines/wanted_values.h"
#include "plots/table/table_spec.h"

namespace rethink {

/// A seed's number: the mean over its trials if a cell averages over axes.
struct Sample {
  int64_t seed = 0;  // 0 for trials without a seed
  double value = 0;
};

/// One trial's part of a cell.
struct TrialNumber {
  int64_t seed = 0;
  std::string begun = {};                // begin of its first attempt; empty: none yet
  std::optional<double> number = {};     // as the cell shows it
  MarkKind lack = MarkKind::missing;     // reason for a missing number
  std::vector<std::string> chosen_by{};  // trials of a select stage that chose it
};

struct MeasuredCell {
  CellKind kind = CellKind::metric;
  std::vector<std::string> trials;   // planned; for a cell of a select stage, the winner's
  std::vector<TrialNumber> numbers;  // of each of `trials`; empty for a derived cell
  std::vector<std::string> selects;  // for a select stage: the trials that chose
  std::set<std::string> lacks;       // for trials without an id: commands that bring their files
  std::set<std::string> to_bring;    // likewise for trials with an id that must still run
  std::set<int64_t> planned_seeds;
  size_t own_seeds = 0;  // seeds of the sweep, of which --seeds may plan some; 0: no trial has them
  std::vector<Sample> samples;                    // by seed
  std::map<int64_t, std::set<MarkKind>> lacking;  // seeds without a number: the reasons
  std::map<int64_t, std::vector<double>> heads;   // for positions: each head's number, by seed
  SeenEnvironments environments{};                // of the trials with a number
  std::vector<std::pair<std::string, std::set<std::string>>>
      arm_facts{};               // properties that arms should share: "parameters": {"1000"}
  std::optional<double> value;   // mean of the samples
  std::optional<double> spread;  // for two samples and more
  std::vector<Mark> marks;

  size_t planned() const { return planned_seeds.size(); }  // number of seeds
  std::optional<double> value_of(int64_t seed) const;      // of this seed's sample
  std::vector<int64_t> diverged() const;                   // seeds with a diverged trial
  bool has(MarkKind mark) const;
  /// Returns what replaces the number of a cell without one: the name of its first mark.
  std::string text_without_number() const;
  /// Returns whether no run with this profile gives the cell a number. This includes means of
  /// columns with such a part.
  bool is_unplanned() const;
  /// Returns whether a trial must still run, or run again.
  bool waits() const;
  /// Returns whether the cell waits, or a done trial lacks the value.
  bool incomplete() const;
  /// Returns whether the value excludes diverged seeds. It is then a mean of survivors, which is
  /// never best and never tested.
  bool of_survivors() const { return value && !diverged().empty(); }
  /// Returns whether a measurement or a fact is equal on every seed, as a number of parameters is.
  /// Its spread of 0 is no finding, and tables for people leave it out.
  bool is_fixed() const;
  /// Returns whether --seeds selects one of several seeds. One seed shows no spread between seeds.
  bool is_one_of_several() const { return planned() < 2 && planned() < own_seeds; }
  /// Returns the number of seeds that a comparison needs.
  size_t awaited() const { return is_one_of_several() ? own_seeds : planned(); }
  /// Returns whether the value excludes seeds whose trials must still run, or is of one of several
  /// seeds. It is then neither best nor compared.
  bool is_partial() const {
    return value && (is_one_of_several() || (samples.size() < planned() && waits()));
  }
};

/// Source of a column's values in a record.
struct CellValue {
  CellKind kind = CellKind::metric;
  ValueName name;
  double scale = 1;  // factor from the record's value to the shown value
};

/// Returns samples by seed, their mean and spread, and the marks that follow from the trials alone.
MeasuredCell measure_cell(const CellTrials& trials, const TrialRecords& records,
                          const CellValue& value, const TableSpec& spec);

/// Values of some of a cell's trials for one seed: the mean, or the reason why there is none.
struct PartOfSeed {
  std::vector<std::string> trials = {};  // with an id
  std::vector<double> numbers = {};
  std::set<MarkKind> lacking = {};

  /// Returns nothing if a number is missing.
  std::optional<double> value() const;
};
/// Returns the parts by seed. `planned` are some of the trials from which `cell` was measured. One
/// imported score is enough.
std::map<int64_t, PartOfSeed> part_by_seed(const MeasuredCell& cell, const CellTrials& planned);

/// Sets mean and spread ("sd", "sem", "ci95") of the samples.
void summarize(MeasuredCell& cell, const std::string& spread);
/// Returns a cell whose trials the sweep or its profile leaves out.
MeasuredCell unplanned_cell(CellKind kind);

// The mean in tables and figures: over seeds, of the mean over each seed's trials, which differ in
// the axes of `over`.

/// Returns the trials of each seed of `cell` for which all trials satisfy `has_value`. Other seeds
/// are left out, since a mean over some values of an axis is not comparable with a mean over all of
/// them.
std::map<int64_t, std::vector<std::string>> whole_seeds(
    const MeasuredCell& cell, const std::function<bool(const std::string& trial)>& has_value);

/// Returns the mean for one seed. The mean of equal values is exactly this value. Requires: not
/// empty.
double mean_of_trials(const std::vector<double>& values);

/// A table with measured cells; derived cells are still empty.
struct MeasuredTable : TableLines {
  Cells<MeasuredCell> cells;
};

/// Returns the table of these lines, with marks that follow from a cell's column: a fact that its
/// trials lack, arms that are unlike.
MeasuredTable measured_table(TableLines lines, const TableSpec& spec, const Grid& grid,
                             const TrialRecords& records);

}  // namespace rethink
