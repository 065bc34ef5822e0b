// From a spec and its plans to lines and to the trials behind each cell: exactly the ids that
// make_plan yields; and which columns a mean or ratio is made of.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/config/written_values.h"
#include "core/message.h"
#include "experiments/plan/plan.h"
#include "plots/table/table_spec.h"

namespace rethink {

/// The plan of each sweep that a spec names, by the path that the spec gives.
using Plans = std::map<std::string, Plan>;

/// The command line again, for commands below a table that can be copied.
struct CommandWords {
  std::string choices{};                  // " --profile small --set optimizer.lr=1", as given
  std::filesystem::path store = "store";  // as --store named it
  std::string
      spec{};  // the table as the command line names it, by name or path; empty: its `table:`

  CommandWords for_spec(const std::string& name) const { return {choices, store, name}; }

  /// "rethink table NAME --run --profile small --store DIR", for "table NAME --run".
  std::string with_choices(const std::string& words) const {
    return store_command(words + choices, store);
  }
  /// The same for a table that is called `name`, and its `option`.
  std::string table(const std::string& name, const std::string& option) const {
    return with_choices("table " + for_a_shell(spec.empty() ? name : spec) + " " + option);
  }
};

/// One row or column after its axis was expanded.
struct GridLine {
  std::string label;
  std::string key;  // the axis' value, or the label
  const LineSpec* spec = nullptr;
  SpecPairs where;                    // the axis' value with it
  ValueType type = ValueType::label;  // of the key
};

/// Trials of one cell by their place in the plan; of each id one, and those without one.
using CellTrials = std::vector<const PlannedTrial*>;

struct Grid {
  std::string profile;
  std::string settings;  // what was chosen beside the profile: "--set optimizer.lr=1 --seeds 0,1"
  CommandWords again;
  std::map<std::string, std::string> sweep_names;  // by the path that the spec gives
  std::set<std::string> profiles;                  // that some sweep has
  /// A value that no trial has is not an error.
  bool narrowed() const { return !profile.empty() || !settings.empty(); }
  std::vector<GridLine> rows, columns;
  /// Values of the rows' axes that trials have and the spec's `order` leaves out, by axis.
  std::map<std::string, std::vector<std::string>> values_without_row;
  std::vector<std::vector<CellTrials>>
      trials;  // [row][column]; of cells made of other cells those that a `where` of theirs asks for
  std::map<std::string, std::vector<std::string>> needs;  // of every planned trial that has some
  std::map<std::string, const PlannedTrial*> planned;     // by id, of those that have one
  std::set<std::string> draw_axes;                        // of every plan
};

/// Trials from which `trials` come, in any number of steps, those that `goes_on` keeps. Behind one
/// that it does not keep nothing is looked for.
std::set<std::string> ancestors_of(const std::vector<std::string>& trials, const Grid& grid,
                                   const std::function<bool(const std::string&)>& goes_on);

/// Requires: `spec` and `plans` outlive the result, and `plans` has every sweep of sweeps_of(spec).
/// Throws ConfigError with all problems: a label or axis that no trial has, an axis of a cell's
/// trials that is in neither rows, columns, where nor over. With a profile, --set or --seeds, which
/// may narrow a sweep, a value that no trial has is an empty cell instead.
Grid make_grid(const TableSpec& spec, const Plans& plans, const CommandWords& again = {});

struct TableLine {
  std::string label, key;
  ValueType type = ValueType::label;  // of the key
};

/// The label of each of a spec's or a table's lines, for messages.
template <typename Line>
std::vector<std::string> line_labels(const std::vector<Line>& lines) {
  std::vector<std::string> labels;
  for (const Line& line : lines) labels.push_back(line.label);
  return labels;
}

/// The indices of the rows or columns called `name`: by their labels, else by their axis' value as it
/// is written, else by a value that is the same number. Several: the name does not say which.
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

/// The index of the one row or column called `name`; none where there is none or several.
template <typename Line>
std::optional<size_t> find_line(const std::vector<Line>& lines, const WrittenValue& name) {
  const std::vector<size_t> found = lines_called(lines, name);
  return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
}

/// "has 2 rows 'one'; ...", with what to write instead. `values` are the lines' keys.
std::string text_of_several(const std::string& name, const std::string& kind,
                            const std::vector<std::string>& values);

/// What text_of_several says where `name` fits several of `lines`, which are of `kind` ("row"); else
/// empty.
template <typename Line>
std::string trouble_of_several(const std::vector<Line>& lines, const WrittenValue& name,
                               const std::string& kind) {
  std::vector<std::string> values;
  for (const size_t i : lines_called(lines, name)) values.push_back(lines[i].key);
  return values.size() < 2 ? "" : text_of_several(name.text, kind, values);
}

/// Places in grid.columns of what `grid.columns[column]` is the mean or the ratio of; none for a
/// column that is measured. Each name means one column, as lines_called finds it, or in `mean_of` an
/// axis: all columns of it. Adds a problem for a name that means none or several, and where a mean
/// would count a column twice.
std::vector<size_t> column_parts(size_t column, const Grid& grid, Problems& problems);

/// Ids of every trial that the table's cells are made of, each once.
std::vector<std::string> trials_of(const Grid& grid);
/// Ids of every trial that those need, and these in turn: make_table wants their states.
std::vector<std::string> parents_of(const Grid& grid);

}  // namespace rethink
