// A measured cell: the number of each seed, their mean and spread, and the marks of its trials.
// Takes the planned trials of a cell and their records.
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
#include "plots/table/cells/mark.h"
#include "plots/table/lines/grid.h"
#include "plots/table/lines/wanted_values.h"
#include "plots/table/table_spec.h"

namespace rethink {

/// A seed's number: the mean over its trials if a cell averages over axes.
struct Sample {
  int64_t seed = 0;  // 0 for trials without one
  double value = 0;
};

/// One trial's part of a cell.
struct TrialNumber {
  int64_t seed = 0;
  std::string begun = {};                // when its first attempt began; empty: not yet
  std::optional<double> number = {};     // as the cell shows it
  MarkKind lack = MarkKind::missing;     // without a number: why
  std::vector<std::string> chosen_by{};  // trials of a select stage that chose it
};

struct MeasuredCell {
  CellKind kind = CellKind::metric;
  std::vector<std::string> trials;   // planned; the winner's for a cell of a select stage
  std::vector<TrialNumber> numbers;  // of each of these; none of a cell that is made of others
  std::vector<std::string> selects;  // of a select stage: the trials that chose them
  std::set<std::string> lacks;       // of trials without an id: what brings their files
  std::set<std::string> to_bring;    // likewise of those that have one and have yet to run
  std::set<int64_t> planned_seeds;
  size_t own_seeds = 0;  // seeds of the sweep, of which --seeds may plan some; 0: no trial has them
  std::vector<Sample> samples;                    // by seed
  std::map<int64_t, std::set<MarkKind>> lacking;  // seeds without a number: the reasons
  std::map<int64_t, std::vector<double>> heads;   // of places: each head's number, by seed
  SeenEnvironments environments{};                // of the trials with a number
  std::vector<std::pair<std::string, std::set<std::string>>>
      arm_facts{};               // what arms should have in common: "parameters": {"1000"}
  std::optional<double> value;   // mean of the samples
  std::optional<double> spread;  // from two samples on
  std::vector<Mark> marks;

  size_t planned() const { return planned_seeds.size(); }  // seeds
  std::optional<double> value_of(int64_t seed) const;      // its sample's
  std::vector<int64_t> diverged() const;                   // seeds of which a trial diverged
  bool has(MarkKind mark) const;
  /// Whether no run with this profile gives it a number. For means of columns this includes means
  /// with such a part.
  bool is_unplanned() const;
  /// Whether a trial must still run, or run again.
  bool waits() const;
  /// Whether it waits, or a done trial lacks the value.
  bool incomplete() const;
  /// Whether the value excludes diverged seeds. It is then a mean of survivors, which is never best
  /// and never tested.
  bool of_survivors() const { return value && !diverged().empty(); }
  /// Whether --seeds leaves one of several seeds. One seed says nothing of how far seeds are apart.
  bool is_one_of_several() const { return planned() < 2 && planned() < own_seeds; }
  /// The seeds that a comparison waits for.
  size_t awaited() const { return is_one_of_several() ? own_seeds : planned(); }
  /// Whether the value excludes seeds whose trials must still run, or is of one of several seeds. It
  /// is then neither best nor compared.
  bool is_partial() const {
    return value && (is_one_of_several() || (samples.size() < planned() && waits()));
  }
};

/// Source of a column's values in a record.
struct CellValue {
  CellKind kind = CellKind::metric;
  ValueName name;
  double scale = 1;  // what is shown is so many times the record's value
};

/// Samples by seed, their mean and spread, and the marks that the trials themselves give.
MeasuredCell measure_cell(const CellTrials& trials, const TrialRecords& records,
                          const CellValue& value, const TableSpec& spec);

/// Values of some of a cell's trials by seed: the mean, or the reason why there is none.
struct PartOfSeed {
  std::vector<std::string> trials = {};  // with an id
  std::vector<double> numbers = {};
  std::set<MarkKind> lacking = {};

  /// Returns nothing if a number is missing.
  std::optional<double> value() const;
};
/// `planned` are some of the trials from which `cell` was measured. One imported score is enough.
std::map<int64_t, PartOfSeed> part_by_seed(const MeasuredCell& cell, const CellTrials& planned);

/// Mean and spread ("sd", "sem", "ci95") of the samples.
void summarize(MeasuredCell& cell, const std::string& spread);
/// Returns a cell whose trials the sweep or its profile leaves out.
MeasuredCell unplanned_cell(CellKind kind);

// The mean that tables and figures share: over seeds, of the mean over each seed's trials, which
// differ in the axes of `over`.

/// Returns the trials of each seed of `cell` for which all trials satisfy `has_value`. Other seeds
/// are left out, since a mean over some values of an axis is not comparable with a mean over all of
/// them.
std::map<int64_t, std::vector<std::string>> whole_seeds(
    const MeasuredCell& cell, const std::function<bool(const std::string& trial)>& has_value);

/// Returns the mean for one seed. The mean of equal values is exactly this value. Requires: not
/// empty.
double mean_of_trials(const std::vector<double>& values);

}  // namespace rethink
