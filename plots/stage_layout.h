// The layout of a table for a stage without a spec: which axes are rows, and which axis is the
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

/// Returns the score of a planned trial; for a trial that chooses among others, the score of the
/// first of these. `by_id` has every planned trial. Returns nothing without a score.
std::optional<ReportedScore> score_of_planned(
    const PlannedTrial& planned, const std::map<std::string, const PlannedTrial*>& by_id,
    const Schema& schema, ReportedScores& scores);

/// Returns "lr" for the axis "optimizer.lr".
std::string last_word(const std::string& axis);

/// A row, a column or a series: its label, and its trials' axis values.
struct LayoutLine {
  std::string label;
  std::vector<std::pair<std::string, std::string>> where;
};

struct StageLayout {
  std::string stage;
  std::vector<std::pair<std::string, std::string>> fixed;  // axes with one value
  std::vector<std::string> row_axes;                       // from the slowest to the fastest
  std::vector<LayoutLine> rows;                            // every combination with trials
  std::string column_axis;                                 // empty: one column
  std::vector<LayoutLine> columns;  // values of the column axis: "lr=0.1", "dense"
  std::vector<std::optional<ReportedScore>>
      scores;         // scores of the columns; one entry without a column axis
  std::string curve;  // recorded metric over training: "train/loss"; empty: none is known
  size_t seeds = 1;   // seeds of the sweep, even if --seeds selects only some

  /// Returns whether the rows are the values of one axis, which every trial has.
  bool has_row_axis() const { return row_axes.size() == 1 && is_crossed; }
  bool is_crossed = false;  // every trial has every axis
};

/// Returns the stage of the plan that a table without a spec shows: `wanted` or, if it is empty,
/// the first stage that no other stage needs and whose job has a score. Throws ConfigError, with
/// the existing stages, if there is none.
std::string stage_to_show(const Plan& plan, const std::string& wanted, const Schema& schema);

/// Returns how to name the score of a stage's programs: "; the score of ..."; empty for another job.
std::string advice_on_score(const Plan& plan, const std::string& stage, const Schema& schema);

/// Returns the other stages that no stage needs and whose job has a score.
std::vector<std::string> stages_beside(const Plan& plan, const std::string& shown,
                                       const Schema& schema);

/// Returns every combination of values of all differing axes: rows and columns as one list.
std::vector<LayoutLine> all_lines_of(const Plan& plan, const StageLayout& layout);

/// Returns the layout. Columns are the axis that chooses the data set, else the fastest of several
/// axes if it has few values; rows are the other axes. Without columns are axes that change together
/// and axes with which most cells would have no trial. Requires: `stage` is a stage of the plan.
StageLayout layout_of(const Plan& plan, const std::string& stage, const Schema& schema);

}  // namespace rethink
