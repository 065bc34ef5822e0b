// Finds the trials of a plan that a spec selects, by the values of their axes.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/yaml/written_values.h"
#include "plots/table/lines/grid.h"

namespace rethink {

/// The values of an axis that trials have, in the plan's order, without repeated spellings.
class KnownValues {
 public:
  KnownValues(const CellTrials& trials, const std::string& axis);

  const std::vector<RecordedValue>& all() const { return values_; }
  /// Returns the value that equals `written` (core/yaml/written_values.h); of several, the one
  /// with the same spelling.
  std::optional<RecordedValue> find(const WrittenValue& written) const;

 private:
  std::vector<RecordedValue> values_;
  ValueIndex index_;  // positions in values_
};

/// Returns the sorted names of the trials' labels.
std::vector<std::string> label_names(const CellTrials& trials);
/// Returns the sorted names of stages with trials.
std::vector<std::string> stage_names(const Plan& plan);

/// Adds the problem that the trials of `stage` lack the axis; `names` are their labels.
void add_no_axis(const Word& axis, const Word& stage, const std::vector<std::string>& names,
                 Problems& problems);
/// Adds a problem if no trial has this value of `axis`.
void check_axis_value(const Word& value, const std::string& axis, const KnownValues& known,
                      Problems& problems);

/// Finds trials by stage and values. Each axis gets one index of its values, since cells name many
/// values. The plans must outlive the object.
class TrialFinder {
 public:
  explicit TrialFinder(const Plans& plans) : plans_(plans) {}

  /// Returns the trials of a stage with the values of `selection.where`, in the plan's order, each
  /// id once. Values spelt as in the spec precede values that only equal them. Adds a problem for a
  /// value that no trial of the stage has, and for a stage that the sweep lacks.
  CellTrials select(const TrialSelection& selection, Problems& problems);

 private:
  struct Axis {
    KnownValues values;
    ValueIndex trials;  // positions in Stage::trials, by value
  };
  struct Stage {
    CellTrials trials;
    std::vector<std::string> labels;  // names of the labels
    std::string problem;              // reason for a stage without trials
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
