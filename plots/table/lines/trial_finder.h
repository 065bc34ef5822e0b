// Finds the trials of a plan that a spec selects, by the values of their axes.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/config/written_values.h"
#include "plots/table/lines/grid.h"

namespace rethink {

/// The values of an axis that trials have, in the plan's order, each spelling once.
class KnownValues {
 public:
  KnownValues(const CellTrials& trials, const std::string& axis);

  const std::vector<RecordedValue>& all() const { return values_; }
  /// The one that equals `written` (core/config/written_values.h), of several the one that is spelt so.
  std::optional<RecordedValue> find(const WrittenValue& written) const;

 private:
  std::vector<RecordedValue> values_;
  ValueIndex index_;  // places in values_
};

/// Names of the labels that trials have, sorted.
std::vector<std::string> label_names(const CellTrials& trials);
/// Names of the stages that have trials, sorted.
std::vector<std::string> stage_names(const Plan& plan);

/// Adds the problem that the trials of `stage` have no axis of that name; `names`: their labels.
void add_no_axis(const Word& axis, const Word& stage, const std::vector<std::string>& names,
                 Problems& problems);
/// Adds a problem unless some trial has that value of `axis`.
void check_axis_value(const Word& value, const std::string& axis, const KnownValues& known,
                      Problems& problems);

/// Looks up trials by stage and values. Each axis gets an index of its values once, since cells
/// name one value after the other. The plans must outlive it.
class TrialFinder {
 public:
  explicit TrialFinder(const Plans& plans) : plans_(plans) {}

  /// The trials of a stage that have the values of `selection.where`, in the plan's order, each id
  /// once. Values that are spelt as the spec writes them go before values that only equal them.
  /// Adds a problem for a value that no trial of the stage has, and for a stage that the sweep does
  /// not have.
  CellTrials select(const TrialSelection& selection, Problems& problems);

 private:
  struct Axis {
    KnownValues values;
    ValueIndex trials;  // places in Stage::trials, by value
  };
  struct Stage {
    CellTrials trials;
    std::vector<std::string> labels;  // their names
    std::string problem;              // where it has no trials
    std::map<std::string, Axis> axes;
    std::set<std::tuple<int, int, std::string, std::string, bool>> checked;  // see check_where
  };

  Stage& stage_of(const Plan& plan, const TrialSelection& selection);
  static const Axis& axis_of(Stage& stage, const std::string& name);
  static CellTrials candidates_of(Stage& stage, const SpecPairs& where);
  static void check_where(const TrialSelection& selection, const Plan& plan, Stage& stage,
                          Problems& problems);

  const Plans& plans_;
  std::map<std::pair<std::string, std::string>, Stage> stages_;  // by sweep and stage
};

}  // namespace rethink
