#include "plots/table/lines/grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "core/yaml/written_values.h"
#include "plots/stage_layout.h"
#include "plots/table/lines/trial_finder.h"

namespace rethink {
namespace {

TrialSelection cell_selection(const TrialSelection& base, const GridLine& row,
                              const GridLine& column) {
  TrialSelection selection = base;
  for (const GridLine* line : {&column, &row}) {
    if (line->spec->sweep) selection.sweep = *line->spec->sweep;
    if (line->spec->stage) selection.stage = *line->spec->stage;
    selection.where.insert(selection.where.end(), line->where.begin(), line->where.end());
  }
  return selection;
}

/// The trials of the stages `from` on which `trials` depend, in the plan's order, each id once. A
/// trial without an id is replaced by its dependencies.
CellTrials origins(const CellTrials& trials, const std::vector<Word>& from, const Plan& plan,
                   const Grid& grid) {
  std::vector<std::string> ids;
  CellTrials found;
  for (const PlannedTrial* trial : trials) {
    if (trial->lacks.empty())
      ids.push_back(trial->trial.id);
    else
      found.push_back(trial);
  }
  const std::set<std::string> ancestors =
      ancestors_of(ids, grid, [](const std::string&) { return true; });
  std::set<std::string> seen;
  for (const PlannedTrial& planned : plan.trials) {
    const auto is_stage = [&](const Word& stage) { return stage.text == planned.stage; };
    if (std::ranges::none_of(from, is_stage) || !ancestors.contains(planned.trial.id)) continue;
    if (seen.insert(planned.trial.id).second) found.push_back(&planned);
  }
  return found;
}

/// Checks that every stage in `from` is a stage of a sweep of the table.
void check_origins(const std::vector<Word>& from, const Plans& plans, Problems& problems) {
  std::vector<std::string> known;
  for (const auto& [path, plan] : plans) {
    const std::vector<std::string> stages = stage_names(plan);
    known.insert(known.end(), stages.begin(), stages.end());
    known.insert(known.end(), plan.left_out.begin(), plan.left_out.end());
  }
  for (const Word& stage : from) {
    if (std::ranges::find(known, stage.text) != known.end()) continue;
    problems.add(stage.at, "unknown-stage",
                 fmt::format("from: no sweep of the table has trials of a stage '{}'{}; "
                             "there are: {}",
                             stage.text, did_you_mean(stage.text, known), joined(known)));
  }
}

/// A cell that is computed from others has trials only if its column's `where` selects some.
bool has_trials(const GridLine& row, const GridLine& column) {
  if (row.is_split || row.spec->published || column.spec->kind == CellKind::published) return false;
  return !is_derived(column.spec->kind) || !column.where.empty();
}

/// Axes of the cells' trials for which nothing chooses a value. Each axis is reported once, at the
/// first line that lacks it: at the row if rows choose it or other trials than the table's, else at
/// the column.
class AxisCheck {
 public:
  AxisCheck(const TableSpec& spec, const Grid& grid, Problems& problems)
      : spec_(spec), grid_(grid), problems_(problems) {}

  void check(const CellTrials& trials, const SpecPairs& where, const GridLine& row,
             const GridLine& column) {
    const auto& over = spec_.over;
    for (const std::string& axis : label_names(trials)) {
      const bool is_over = std::find(over.begin(), over.end(), axis) != over.end();
      if (is_over || find_pair(where, axis) || !said_.insert(axis).second) continue;
      problems_.add((rows_choose(axis, row) ? row : column).spec->at, "unused-axis",
                    fmt::format("axis '{0}' is in neither {1}, where nor over; add a line {{axis: "
                                "{0}}}, where: {{{0}: VALUE}}, or over: [{0}] to average over it",
                                axis, spec_.words.keys));
    }
  }

 private:
  bool rows_choose(const std::string& axis, const GridLine& row) const {
    return row.spec->sweep || row.spec->stage ||
           std::any_of(grid_.rows.begin(), grid_.rows.end(), [&](const GridLine& line) {
             return find_pair(line.where, axis) != nullptr;
           });
  }

  const TableSpec& spec_;
  const Grid& grid_;
  Problems& problems_;
  std::set<std::string> said_;
};

/// A row for each combination of values of the axes that the row's trials have and that neither the
/// spec nor the row names, in the plan's order; empty without such an axis.
std::vector<GridLine> rows_by_added_axes(const GridLine& row, const TableSpec& spec,
                                         const TrialSelection& base, const Grid& grid,
                                         TrialFinder& finder) {
  std::set<std::string> seen;  // labels
  std::vector<GridLine> rows;
  for (const GridLine& column : grid.columns) {
    const bool is_measured = !is_derived(column.spec->kind) && column.spec->from.empty();
    if (!is_measured || !has_trials(row, column)) continue;
    const TrialSelection selection = cell_selection(base, row, column);
    Problems of_cell;  // reported when the cells are made
    for (const PlannedTrial* trial : finder.select(selection, of_cell)) {
      GridLine part = row;
      for (const auto& [axis, value] : trial->labels) {
        if (std::ranges::count(spec.over, axis) > 0 || find_pair(selection.where, axis)) continue;
        part.label += fmt::format(", {}={}", last_word(axis), value);
        part.where.push_back({Word{axis, row.spec->at}, Word{value, row.spec->at}});
      }
      if (part.where.size() == row.where.size() || !seen.insert(part.label).second) continue;
      part.key = part.label;
      part.type = ValueType::label;
      rows.push_back(std::move(part));
    }
  }
  return rows;
}

/// If --set adds axes to a sweep, as in a grid over A3's layers and heads, rows with `others` are
/// split by these axes. The row itself keeps only the paper's numbers.
void split_by_added_axes(const TableSpec& spec, const TrialSelection& base, TrialFinder& finder,
                         Grid& grid) {
  if (grid.settings.empty()) return;
  std::vector<GridLine> rows;
  for (const GridLine& row : grid.rows) {
    std::vector<GridLine> parts;
    if (!row.spec->others.empty()) parts = rows_by_added_axes(row, spec, base, grid, finder);
    rows.push_back(row);
    rows.back().is_split = !parts.empty();
    rows.insert(rows.end(), parts.begin(), parts.end());
  }
  grid.rows = std::move(rows);
}

/// Whether the settings contain the last key of `axis`, as "stages.mask.grid.ratio=" for mask.ratio.
bool settings_write(const std::string& settings, const std::string& axis) {
  const std::string key = last_word(axis);
  for (size_t at = settings.find(key); at != std::string::npos; at = settings.find(key, at + 1)) {
    const size_t end = at + key.size();
    const bool begins = at > 0 && (settings[at - 1] == '.' || settings[at - 1] == ' ');
    if (begins && end < settings.size() && (settings[end] == '=' || settings[end] == '.'))
      return true;
  }
  return false;
}

/// Whether `row` has trials of the sweep and stage in `of`; `base`: those of the table.
bool is_row_of(const TrialSelection& of, const GridLine& row, const TrialSelection& base) {
  return row.spec->sweep.value_or(base.sweep).text == of.sweep.text &&
         row.spec->stage.value_or(base.stage).text == of.stage.text;
}

/// Whether `row` takes this value of `axis`, or every value.
bool takes(const GridLine& row, const std::string& axis, const RecordedValue& value) {
  return std::ranges::all_of(row.where, [&](const SpecPair& pair) {
    return pair.key.text != axis || same_value(value, pair.value.written());
  });
}

/// Whether a sweep comes from another folder than the spec that names it, as a user's copy of a shipped sweep does: the
/// rows of the spec then do not know the sweep's values.
bool is_of_another_folder(const Word& sweep, const Plan& plan) {
  std::error_code missing;
  const std::string file = std::filesystem::weakly_canonical(plan.file, missing),
                    spec = std::filesystem::weakly_canonical(sweep.at.file, missing),
                    below = "/" + sweep.text;
  return file.ends_with(below) &&
         !spec.starts_with(file.substr(0, file.size() - below.size()) + "/");
}

/// Adds values without a row of axes from which rows choose by `where`. A file's rows may leave out values on purpose,
/// so only values that --set writes count, and those of a sweep from another folder if several rows list the axis.
void add_values_beside_where(const TrialSelection& base, const Plans& plans, TrialFinder& finder,
                             Grid& grid) {
  std::set<std::string> seen;  // sweep, stage and axis
  for (const GridLine& row : grid.rows) {
    if (row.spec->published) continue;
    TrialSelection of = base;
    if (row.spec->sweep) of.sweep = *row.spec->sweep;
    if (row.spec->stage) of.stage = *row.spec->stage;
    for (const SpecPair& pair : row.spec->where) {
      const std::string& axis = pair.key.text;
      const bool is_foreign = is_of_another_folder(of.sweep, plans.at(of.sweep.text)) &&
                              std::ranges::count_if(grid.rows, [&](const GridLine& one) {
                                return is_row_of(of, one, base) && find_pair(one.where, axis);
                              }) > 1;
      if (!is_foreign && !settings_write(grid.settings, axis)) continue;
      if (!seen.insert(fmt::format("{}\n{}\n{}", of.sweep.text, of.stage.text, axis)).second)
        continue;
      Problems of_stage;  // reported when the cells are made
      const KnownValues values(finder.select(of, of_stage), axis);
      for (const RecordedValue& value : values.all()) {
        if (std::ranges::none_of(grid.rows, [&](const GridLine& one) {
              return is_row_of(of, one, base) && takes(one, axis, value);
            }))
          grid.values_beside_where[{of.sweep.text, axis}].push_back(value.text);
      }
    }
  }
}

void refuse_too_many_cells(const TableSpec& spec, const Grid& grid, Problems& problems) {
  const size_t rows = grid.rows.size(), columns = grid.columns.size();
  if (rows * columns <= kMostCells) return;
  problems.refuse(spec.rows.front().at, "too-many",
                  fmt::format("{} of {} x {} cells, expected at most {}; narrow it by 'where', or "
                              "name the values by 'order'",
                              spec.words.table, rows, columns, kMostCells));
}

void refuse_too_many_cell_trials(const TableSpec& spec, const GridLine& row, Problems& problems) {
  problems.refuse(row.spec->at, "too-many",
                  fmt::format("the cells up to {} '{}' have more than {} trials in all, a trial of "
                              "several cells counted in each; narrow them by 'where'",
                              spec.words.row, row.label, kMostCellTrials));
}

bool is_in_order(const LineSpec& line, const RecordedValue& value) {
  return std::ranges::any_of(line.order,
                             [&](const Word& word) { return same_value(value, word.written()); });
}

std::string value_label(const LineSpec& line, const RecordedValue& value) {
  const SpecPair* label = nullptr;
  for (const SpecPair& pair : line.labels) {
    const bool is_better = !label || pair.key.text == value.text;
    if (!is_better || !same_value(value, pair.key.written())) continue;
    label = &pair;
    if (pair.key.text == value.text) break;
  }
  if (label) return label->value.text;
  const size_t place = line.others.find("{}");
  if (place == std::string::npos || is_in_order(line, value)) return value.text;
  return std::string(line.others).replace(place, 2, value.text);
}

/// The values that `order` does not name, in the plan's order.
std::vector<RecordedValue> values_beside_order(const LineSpec& line, const KnownValues& values) {
  std::vector<RecordedValue> others;
  for (const RecordedValue& value : values.all()) {
    if (!is_in_order(line, value)) others.push_back(value);
  }
  return others;
}

/// Puts each of `others` before the first word that is a larger number; at the end if a word is not
/// a number or the words do not ascend.
void add_in_place(const std::vector<RecordedValue>& others, std::vector<Word>& words) {
  const auto number = [](const Word& word) { return parse_number(word.text); };
  const auto all_ascend = [&] {
    return std::ranges::all_of(words, [&](const Word& word) { return number(word).has_value(); }) &&
           std::ranges::is_sorted(words, {}, [&](const Word& word) { return *number(word); });
  };
  for (const RecordedValue& other : others) {
    const Word word{other.text, {}};
    auto place = words.end();
    if (const auto value = number(word); value && all_ascend())
      place = std::ranges::find_if(words, [&](const Word& one) { return *number(one) > *value; });
    words.insert(place, word);
  }
}

/// Checks that each word of `order` is one value, and no value is named twice. Otherwise a row
/// would be a mean over two cases of the sweep, or a mean over the axis would count a value twice.
void check_order(const LineSpec& line, const KnownValues& values, Problems& problems) {
  std::set<std::string> named;
  for (const Word& word : line.order) {
    const std::optional<RecordedValue> value = values.find(word.written());
    if (!value) continue;
    std::vector<std::string> labels;  // 1 and 1.0 may be two cases
    for (const RecordedValue& one : values.all()) {
      if (one.type == ValueType::label && same_value(one, word.written()))
        labels.push_back(one.text);
    }
    if (value->text != word.text && labels.size() > 1) {
      problems.add(word.at, "ambiguous-name",
                   fmt::format("order: {} '{}' fits {} values; write one of them: {}",
                               line.axis.text, word.text, labels.size(), joined(labels)));
    } else if (!named.insert(value->text).second) {
      problems.add(word.at, "duplicate-value",
                   fmt::format("order: '{}' names {} '{}' a second time", word.text, line.axis.text,
                               value->text));
    }
  }
}

/// One line per value of the line's axis, or the line itself. `left_out` gets the values of the
/// axis without a line.
std::vector<GridLine> expand_line(const LineSpec& line, const TrialSelection& base,
                                  TrialFinder& finder, std::vector<RecordedValue>& left_out,
                                  Problems& problems) {
  if (line.axis.text.empty()) return {{line.label, line.label, &line, line.where}};
  TrialSelection selection = base;
  if (line.sweep) selection.sweep = *line.sweep;
  if (line.stage) selection.stage = *line.stage;
  selection.where = line.where;
  const CellTrials trials = finder.select(selection, problems);
  const std::vector<std::string> names = label_names(trials);
  const KnownValues values(trials, line.axis.text);
  const bool is_axis = std::find(names.begin(), names.end(), line.axis.text) != names.end();
  if (!trials.empty() && !is_axis && (!selection.may_be_absent || values.all().empty())) {
    add_no_axis(line.axis, selection.stage, names, problems);
    return {};
  }
  if (!trials.empty() && !selection.may_be_absent) {
    for (const Word& value : line.order) check_axis_value(value, line.axis.text, values, problems);
    check_order(line, values, problems);
    for (const auto& [value, label] : line.labels)
      check_axis_value(value, line.axis.text, values, problems);
  }
  std::vector<GridLine> lines;
  std::vector<Word> words = line.order;
  if (words.empty()) {
    for (const RecordedValue& value : values.all()) words.push_back({value.text, {}});
  } else if (line.others.empty()) {
    left_out = values_beside_order(line, values);
  } else {
    add_in_place(values_beside_order(line, values), words);
  }
  for (Word& value : words) {
    value.at = line.axis.at;
    SpecPairs where = line.where;
    where.push_back({line.axis, value});
    const std::optional<RecordedValue> known = values.find(value.written());
    const RecordedValue spelt{value.text, known ? known->type : ValueType::label};
    lines.push_back({value_label(line, spelt), spelt.text, &line, std::move(where), spelt.type});
  }
  return lines;
}

}  // namespace

bool only_tests_that_it_runs(const std::string& profile) {
  return profile == "smoke";
}

std::set<std::string> ancestors_of(const std::vector<std::string>& trials, const Grid& grid,
                                   const std::function<bool(const std::string&)>& goes_on) {
  std::set<std::string> found;
  std::vector<std::string> open = trials;
  while (!open.empty()) {
    const auto needs = grid.needs.find(open.back());
    open.pop_back();
    if (needs == grid.needs.end()) continue;
    for (const std::string& id : needs->second) {
      if (goes_on(id) && found.insert(id).second) open.push_back(id);
    }
  }
  return found;
}

std::string text_of_several(const std::string& name, const std::string& kind,
                            const std::vector<std::string>& values) {
  const bool differ = std::set(values.begin(), values.end()).size() == values.size();
  return fmt::format("has {} {}{} '{}'; {}", values.size(), kind, kind.ends_with('s') ? "" : "s",
                     name,
                     differ ? "give the value of one as it is written: " + joined(values)
                            : "give each a label of its own");
}

Grid make_grid(const TableSpec& spec, const Plans& plans, const CommandWords& again) {
  Problems problems;
  TrialFinder finder(plans);
  Grid grid;
  const Plan& plan = plans.at(spec.trials.sweep.text);
  grid.profile = plan.profile;
  grid.settings = plan.choice;
  grid.again = again;
  for (const auto& [path, named] : plans) {
    grid.sweep_names[path] = named.sweep;
    grid.profiles.insert(named.profiles.begin(), named.profiles.end());
    grid.draw_axes.insert(named.draw_axes.begin(), named.draw_axes.end());
    for (const PlannedTrial& planned : named.trials) {
      if (!planned.lacks.empty()) continue;
      grid.planned.emplace(planned.trial.id, &planned);
      for (const auto& [slot, ids] : planned.trial.needs)
        grid.needs[planned.trial.id].insert(grid.needs[planned.trial.id].end(), ids.begin(),
                                            ids.end());
    }
  }
  TrialSelection base = spec.trials;
  base.may_be_absent = grid.narrowed();
  std::map<std::string, std::vector<RecordedValue>> without_row;  // by axis
  for (const LineSpec& row : spec.rows) {
    std::vector<RecordedValue> left_out;
    for (GridLine& line : expand_line(row, base, finder, left_out, problems))
      grid.rows.push_back(std::move(line));
    std::vector<RecordedValue>& all = without_row[row.axis.text];
    all.insert(all.end(), left_out.begin(), left_out.end());
  }
  for (const auto& [axis, values] : without_row) {
    for (const RecordedValue& value : values) {
      const auto is_of = [&](const GridLine& row) {
        return std::ranges::any_of(row.where, [&](const SpecPair& pair) {
          return pair.key.text == axis && same_value(value, pair.value.written());
        });
      };
      if (std::ranges::none_of(grid.rows, is_of))
        grid.values_without_row[axis].push_back(value.text);
    }
  }
  add_values_beside_where(base, plans, finder, grid);
  for (const LineSpec& column : spec.columns) {
    check_origins(column.from, plans, problems);
    std::vector<RecordedValue> left_out;  // columns choose what they show
    for (GridLine& line : expand_line(column, base, finder, left_out, problems))
      grid.columns.push_back(std::move(line));
  }
  problems.throw_if_any();
  split_by_added_axes(spec, base, finder, grid);
  refuse_too_many_cells(spec, grid, problems);
  size_t cell_trials = 0;
  AxisCheck axes(spec, grid, problems);
  for (const GridLine& row : grid.rows) {
    std::vector<CellTrials>& cells = grid.trials.emplace_back();
    for (const GridLine& column : grid.columns) {
      CellTrials& trials = cells.emplace_back();
      if (!has_trials(row, column)) continue;
      TrialSelection selection = cell_selection(base, row, column);
      // In a derived cell, `where` tells for which profiles the cell exists.
      if (is_derived(column.spec->kind)) selection.may_be_absent = true;
      trials = finder.select(selection, problems);
      cell_trials += trials.size();
      if (cell_trials > kMostCellTrials) refuse_too_many_cell_trials(spec, row, problems);
      if (is_derived(column.spec->kind)) continue;
      if (column.spec->from.empty()) {
        axes.check(trials, selection.where, row, column);
      } else {
        trials = origins(trials, column.spec->from, plans.at(selection.sweep.text), grid);
      }
    }
  }
  problems.throw_if_any();
  return grid;
}

namespace {

using Columns = std::vector<size_t>;  // indices in Grid::columns

std::vector<std::string> labels_of_columns(const Columns& columns, const Grid& grid) {
  std::vector<std::string> labels;
  for (const size_t column : columns) labels.push_back(grid.columns[column].label);
  return labels;
}

/// Whether two columns of one axis have the same value of it and show the same value of the same
/// trials.
bool show_equal_values(size_t a, size_t b, const Grid& grid) {
  const GridLine &first = grid.columns[a], &second = grid.columns[b];
  const auto value_text = [](const GridLine& line) {
    return line.spec->value ? line.spec->value->text() : "";
  };
  return first.key == second.key && first.spec->kind == second.spec->kind &&
         value_text(first) == value_text(second) &&
         std::ranges::any_of(grid.trials, [&](const auto& row) { return !row[a].empty(); }) &&
         std::ranges::all_of(grid.trials, [&](const auto& row) { return row[a] == row[b]; });
}

/// Finds the parts of one mean or ratio by name.
class PartFinder {
 public:
  PartFinder(const LineSpec& line, const Grid& grid, Problems& problems)
      : line_(line),
        key_(line.kind == CellKind::mean_of ? "mean_of"
             : line.kind == CellKind::ratio ? "ratio"
                                            : "ratio_if_even"),
        grid_(grid),
        problems_(problems) {
    for (size_t i = 0; i < grid.columns.size(); ++i) {
      const bool is_measured = grid.columns[i].spec->of.empty();
      (is_measured ? measured_ : derived_).push_back(i);
    }
  }

  Columns find() {
    for (const Word& name : line_.of) {
      for (const size_t column : columns_named(name)) take(column, name);
    }
    return parts_;
  }

 private:
  Columns columns_named(const Word& name) {
    const Columns called = columns_with_title(measured_, name);
    Columns of_axis;
    std::ranges::copy_if(measured_, std::back_inserter(of_axis), [&](size_t column) {
      return grid_.columns[column].spec->axis.text == name.text;
    });
    if (called.empty() && of_axis.empty()) {
      add_unknown(name);
    } else if (!called.empty() && !of_axis.empty() && called != of_axis) {
      add(name,
          fmt::format("'{}' is a column and an axis of columns; give the column another label",
                      name.text));
    } else if (called.size() > 1) {
      std::vector<std::string> keys;
      for (const size_t column : called) keys.push_back(grid_.columns[column].key);
      add(name, "the table " + text_of_several(name.text, "column", keys));
    } else if (of_axis.size() > 1 && line_.kind != CellKind::mean_of) {
      add(name, fmt::format("axis '{}' has {} columns, expected one; name the column: {}",
                            name.text, of_axis.size(), joined(labels_of_columns(of_axis, grid_))));
    } else {
      return called.empty() ? of_axis : called;
    }
    return {};
  }

  Columns columns_with_title(const Columns& columns, const Word& name) const {
    std::vector<TableLine> lines;
    for (const size_t column : columns) {
      const GridLine& line = grid_.columns[column];
      lines.push_back({line.label, line.key, line.type});
    }
    Columns called;
    for (const size_t place : lines_called(lines, name.written())) called.push_back(columns[place]);
    return called;
  }

  void add_unknown(const Word& name) {
    if (!columns_with_title(derived_, name).empty()) {
      add(name,
          fmt::format("column '{}' is a mean or a ratio itself; name columns that are measured",
                      name.text));
      return;
    }
    const std::vector<std::string> known = labels_of_columns(measured_, grid_);
    add(name, fmt::format("no column or axis of columns is called '{}'{}; there are: {}", name.text,
                          did_you_mean(name.text, known), joined(known)));
  }

  void take(size_t column, const Word& name) {
    const auto is_it = [&](size_t part) {
      return part == column ||
             (grid_.columns[part].spec->axis.text == grid_.columns[column].spec->axis.text &&
              !grid_.columns[part].spec->axis.text.empty() &&
              show_equal_values(part, column, grid_));
    };
    if (line_.kind == CellKind::mean_of && std::ranges::any_of(parts_, is_it)) {
      add(name, fmt::format("column '{}' is in the mean twice, the second time by '{}'; a mean "
                            "counts each column once",
                            grid_.columns[column].label, name.text));
    }
    parts_.push_back(column);
  }

  void add(const Word& name, const std::string& text) {
    problems_.add(name.at, "unknown-value", fmt::format("{}: {}", key_, text));
  }

  const LineSpec& line_;
  const std::string key_;
  const Grid& grid_;
  Problems& problems_;
  Columns measured_, derived_, parts_;
};

}  // namespace

std::vector<size_t> column_parts(size_t column, const Grid& grid, Problems& problems) {
  const LineSpec& line = *grid.columns[column].spec;
  return line.of.empty() ? Columns() : PartFinder(line, grid, problems).find();
}

std::vector<std::string> trials_of(const Grid& grid) {
  std::set<std::string> ids;
  for (const std::vector<CellTrials>& row : grid.trials) {
    for (const CellTrials& trials : row) {
      for (const PlannedTrial* trial : trials) {
        if (trial->lacks.empty()) ids.insert(trial->trial.id);
      }
    }
  }
  return {ids.begin(), ids.end()};
}

std::vector<std::string> needed_trials(const Grid& grid) {
  const std::set<std::string> ids =
      ancestors_of(trials_of(grid), grid, [](const std::string&) { return true; });
  return {ids.begin(), ids.end()};
}

}  // namespace rethink
