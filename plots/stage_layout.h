// The layout of a stage's table that has no spec: which axes make rows, and which one makes
// columns.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/config/schema.h"
#include "experiments/plan/expand/recorded_metrics.h"
#include "experiments/plan/plan.h"

namespace rethink {

/// The score of a planned trial: of one that chooses among others that of the first of these. `by_id`: every planned
/// trial. Nothing where it has none.
std::optional<ReportedScore> score_of_planned(
    const PlannedTrial& planned, const std::map<std::string, const PlannedTrial*>& by_id,
    const Schema& schema, ReportedScores& scores);

/// Returns "lr" for the axis "optimizer.lr".
std::string last_word(const std::string& axis);

/// A row, a column or a series: its label, and the axis values that its trials have.
struct LayoutLine {
  std::string label;
  std::vector<std::pair<std::string, std::string>> where;
};

struct StageLayout {
  std::string stage;
  std::vector<std::pair<std::string, std::string>> fixed;  // axes with one value
  std::vector<std::string> row_axes;                       // from the slowest to the fastest
  std::vector<LayoutLine> rows;                            // every combination that has trials
  std::string column_axis;                                 // empty: one column
  std::vector<LayoutLine> columns;                         // its values: "lr=0.1", "dense"
  std::vector<std::optional<ReportedScore>>
      scores;  // of the columns; of one column without an axis
  std::string
      curve;  // a metric over training that the trials record: "train/loss"; empty: none is known
  size_t seeds = 1;  // of the sweep, also where --seeds shows some of them

  /// Whether the rows are the values of one axis, which every trial has.
  bool has_row_axis() const { return row_axes.size() == 1 && is_crossed; }
  bool is_crossed = false;  // every trial has every axis
};

/// The stage of the plan that a table without a spec shows: the one named `wanted` or, where that is empty, the first one
/// that no other stage needs and whose job has a score. Throws ConfigError where there is none, with the stages that
/// there are.
std::string stage_to_show(const Plan& plan, const std::string& wanted, const Schema& schema);

/// Returns how the score of a stage's programs is named: "; the score of ..."; empty: its job is another one.
std::string advice_on_score(const Plan& plan, const std::string& stage, const Schema& schema);

/// Returns the other stages that no stage needs and whose job has a score.
std::vector<std::string> stages_beside(const Plan& plan, const std::string& shown,
                                       const Schema& schema);

/// Every combination of values of all axes that differ: rows and columns as one list.
std::vector<LayoutLine> all_lines_of(const Plan& plan, const StageLayout& layout);

/// Columns are the axis that chooses the data set, else the fastest of several axes where it has few values; rows are
/// what is left. Requires: `stage` is one of the plan.
StageLayout layout_of(const Plan& plan, const std::string& stage, const Schema& schema);

}  // namespace rethink
