// The grid of a table: its rows, its columns, and the planned trials behind each cell, made from a
// spec and its plans. Also the columns that a mean or a ratio combines.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/message.h"
#include "core/yaml/written_values.h"
#include "experiments/plan/plan.h"
#include "plots/table/table_spec.h"

namespace rethink {

/// Plans of the sweeps that a spec names, by their path in the spec.
using Plans = std::map<std::string, Plan>;

/// Parts of the command line, for commands below a table that can be copied.
struct CommandWords {
  std::string choices{};                  // " --profile small --set optimizer.lr=1", as typed
  std::filesystem::path store = "store";  // as typed for --store
  std::string spec{};  // the table's name or path on the command line; empty: its `table:`

  CommandWords for_spec(const std::string& name) const { return {choices, store, name}; }

  /// Returns "rethink table NAME --run --profile small --store DIR" for "table NAME --run".
  std::string with_choices(const std::string& words) const {
    return store_command(words + choices, store);
  }
  /// Returns the same for the table `name` and `option`.
  std::string table(const std::string& name, const std::string& option) const {
    return with_choices("table " + for_a_shell(spec.empty() ? name : spec) + " " + option);
  }
};

/// Returns whether a profile only tests that everything runs (docs/sweeps.md). Its numbers mean
/// nothing, so none is the best or significant.
bool only_tests_that_it_runs(const std::string& profile);

/// A row or column, after expansion of its axis.
struct GridLine {
  std::string label;
  std::string key;  // the axis' value, or the label
  const LineSpec* spec = nullptr;
  SpecPairs where;                    // the axis' value with it
  ValueType type = ValueType::label;  // of the key
  bool is_split = false;              // trials are in own rows, one for each value of an added axis
};

/// Trials of a cell by their index in the plan: one per id, and all trials without an id.
using CellTrials = std::vector<const PlannedTrial*>;

struct Grid {
  std::string profile;
  std::string settings;  // choices beside the profile: "--set optimizer.lr=1 --seeds 0,1"
  CommandWords again;
  std::map<std::string, std::string> sweep_names;  // by the path in the spec
  std::set<std::string> profiles;                  // profiles of any of the sweeps
  /// Returns whether a value that no trial has is allowed.
  bool narrowed() const { return !profile.empty() || !settings.empty(); }
  std::vector<GridLine> rows, columns;
  /// Values of the rows' axes that the spec's `order` leaves out although trials have them, by
  /// axis.
  std::map<std::string, std::vector<std::string>> values_without_row;
  /// Values that --set or a sweep from another folder gives to axes in `where` of rows, but that no
  /// row selects, by the sweep's path in the spec and the axis.
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> values_beside_where;
  std::vector<std::vector<CellTrials>>
      trials;  // [row][column]; of derived cells only trials that their `where` selects
  std::map<std::string, std::vector<std::string>> needs;  // of every planned trial with needs
  std::map<std::string, const PlannedTrial*> planned;     // by id, trials with an id
  std::set<std::string> draw_axes;                        // of all plans
};

/// Returns the direct and indirect ancestors of `trials` for which `goes_on` is true. The search
/// does not continue behind another trial.
std::set<std::string> ancestors_of(const std::vector<std::string>& trials, const Grid& grid,
                                   const std::function<bool(const std::string&)>& goes_on);

/// Returns the grid of a spec. Requires: `spec` and `plans` outlive the result, and `plans` has
/// every sweep of sweeps_of(spec). Throws ConfigError with all problems: a label or axis that no
/// trial has, and an axis of a cell's trials that is in none of rows, columns, where and over. A
/// profile, --set or --seeds may narrow a sweep. With them, a value that no trial has gives an
/// empty cell.
Grid make_grid(const TableSpec& spec, const Plans& plans, const CommandWords& again = {});

struct TableLine {
  std::string label, key;
  ValueType type = ValueType::label;  // of the key
};

/// Returns the labels of a spec's or a table's lines, for messages.
template <typename Line>
std::vector<std::string> line_labels(const std::vector<Line>& lines) {
  std::vector<std::string> labels;
  for (const Line& line : lines) labels.push_back(line.label);
  return labels;
}

/// Returns the indices of the rows or columns that `name` means: by label, else by the written
/// value of their axis, else by an equal number. With several indices the name is ambiguous.
template <typename Line>
std::vector<size_t> lines_called(const std::vector<Line>& lines, const WrittenValue& name) {
  std::vector<size_t> by_label, by_text, by_number;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].label == name.text) by_label.push_back(i);
    if (!same_value({lines[i].key, lines[i].type}, name)) continue;
    by_number.push_back(i);
    if (lines[i].key == name.text) by_text.push_back(i);
  }
  return !by_label.empty() ? by_label : !by_text.empty() ? by_text : by_number;
}

/// Returns the index of the only row or column that `name` means; nothing if there is none, or
/// several.
template <typename Line>
std::optional<size_t> find_line(const std::vector<Line>& lines, const WrittenValue& name) {
  const std::vector<size_t> found = lines_called(lines, name);
  return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
}

/// Returns "has 2 rows 'one'; ..." with what to write instead. `values` are the lines' keys.
std::string text_of_several(const std::string& name, const std::string& kind,
                            const std::vector<std::string>& values);

/// Returns text_of_several if `name` means several of `lines`, whose `kind` is "row" or "column";
/// else "".
template <typename Line>
std::string trouble_of_several(const std::vector<Line>& lines, const WrittenValue& name,
                               const std::string& kind) {
  std::vector<std::string> values;
  for (const size_t i : lines_called(lines, name)) values.push_back(lines[i].key);
  return values.size() < 2 ? "" : text_of_several(name.text, kind, values);
}

/// Returns the indices of the columns whose mean or ratio `grid.columns[column]` shows; none for a
/// measured column. A name means one column (lines_called). In `mean_of` it may also mean an axis,
/// with all its columns. Adds a problem for a name without a column or with several, and for a mean
/// that would count a column twice.
std::vector<size_t> column_parts(size_t column, const Grid& grid, Problems& problems);

/// Returns the ids of all trials of the table's cells, without duplicates.
std::vector<std::string> trials_of(const Grid& grid);
/// Returns the ids of all trials that these need, directly or indirectly; make_table reads their
/// states.
std::vector<std::string> needed_trials(const Grid& grid);

}  // namespace rethink
