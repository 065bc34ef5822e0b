#include "plots/table/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/trial_state.h"
#include "plots/table/cell.h"
#include "plots/table/compare.h"
#include "plots/table/grid.h"
#include "plots/table/item_test.h"
#include "plots/table/notes.h"
#include "plots/text_format.h"
#include "results/statistics/statistics.h"

namespace rethink {
namespace {

TableColumn make_column(const GridLine& line, const TableSpec& spec) {
  TableColumn column;
  column.label = line.label;
  column.key = line.key;
  column.type = line.type;
  column.kind = line.spec->kind.value_or(CellKind::metric);
  if (line.spec->value)
    column.value =
        column.kind == CellKind::measurement ? line.spec->value->name : line.spec->value->text();
  if (!line.spec->kind) column.value = spec.metric->text();
  column.scale = scale_of(spec, column.kind);
  const bool scored = column.kind == CellKind::metric || column.kind == CellKind::imported ||
                      column.kind == CellKind::mean_of || column.kind == CellKind::published;
  column.direction = line.spec->direction.value_or(scored ? spec.direction : "");
  column.decimals = line.spec->decimals.value_or(spec.decimals);
  column.stays = line.spec->unplanned.has_value();
  return column;
}

/// Of seeds with one trial: what a cell averages over has other heads.
void take_heads(Cell& cell, const TrialRecords& records, const ValueName& places) {
  std::map<int64_t, size_t> trials;
  for (const std::string& id : cell.trials) {
    const TrialRecord* record = find_record(records, id);
    if (!record) continue;
    const int64_t seed = record->seed.value_or(0);
    const auto heads = record->heads.find(places.text());
    if (++trials[seed] > 1) cell.heads.erase(seed);
    if (heads != record->heads.end() && trials[seed] == 1) cell.heads[seed] = heads->second;
  }
}

void explain_unplanned(Cell& cell, const std::string& why) {
  for (Mark& mark : cell.marks) {
    if (mark.kind == MarkKind::not_planned) mark.text = why;
  }
}

void measure_cells(Table& table, const TableSpec& spec, const Grid& grid,
                   const TrialRecords& records) {
  for (size_t row = 0; row < grid.rows.size(); ++row) {
    table.cells.emplace_back(grid.columns.size());
    for (size_t column = 0; column < grid.columns.size(); ++column) {
      const LineSpec& line = *grid.columns[column].spec;
      Cell& cell = table.cells[row][column];
      const std::optional<std::string>& row_published = grid.rows[row].spec->published;
      if (row_published || line.published) {
        cell.kind = CellKind::published;
        cell.marks.push_back(
            {MarkKind::published, row_published ? *row_published : *line.published});
      } else if (line.of.empty()) {
        const CellValue value{table.columns[column].kind, line.value ? *line.value : *spec.metric,
                              table.columns[column].scale};
        cell = measure_cell(grid.trials[row][column], records, value, spec);
        if (line.unplanned) explain_unplanned(cell, *line.unplanned);
        if (value.kind == CellKind::places) take_heads(cell, records, value.name);
      }
    }
  }
}

/// A fact that trials of other rows have, and this cell's, all done, have not: of dense attention
/// there is no mask.
void mark_not_applicable(Table& table) {
  for (size_t column = 0; column < table.columns.size(); ++column) {
    if (table.columns[column].kind != CellKind::fact) continue;
    const bool has_number = std::ranges::any_of(
        table.cells, [&](const std::vector<Cell>& row) { return row[column].value.has_value(); });
    for (std::vector<Cell>& row : table.cells) {
      Cell& cell = row[column];
      if (!has_number || cell.value || cell.waits() || !cell.has(MarkKind::no_value)) continue;
      std::erase_if(cell.marks, [](const Mark& mark) { return mark.kind == MarkKind::no_value; });
      cell.marks.push_back({MarkKind::not_applicable,
                            fmt::format("its trials leave no {}", table.columns[column].value)});
    }
  }
}

/// Those that are made of measured ones, with the marks of these.
void fill_derived_cells(Table& table, const TableSpec& spec, const Grid& grid) {
  Problems problems;
  for (size_t column = 0; column < grid.columns.size(); ++column)
    table.columns[column].parts = column_parts(column, grid, problems);
  problems.throw_if_any();
  for (size_t row = 0; row < grid.rows.size(); ++row) {
    for (size_t column = 0; column < grid.columns.size(); ++column) {
      const LineSpec& line = *grid.columns[column].spec;
      if (line.of.empty() || grid.rows[row].spec->published) continue;
      if (!line.where.empty() && grid.trials[row][column].empty()) {
        table.cells[row][column] = unplanned_cell(*line.kind);
        continue;
      }
      std::vector<const Cell*> parts;
      for (const size_t part : table.columns[column].parts)
        parts.push_back(&table.cells[row][part]);
      table.cells[row][column] = combine_cells(parts, *line.kind, spec.spread, spec.wanted_seeds);
    }
  }
}

/// Says once of each name under a key of the spec that no line is called so, unless one
/// `may_be_absent`, or that several are.
class NameCheck {
 public:
  NameCheck(std::string key, const TableWords& words, bool may_be_absent)
      : key_(std::move(key)), words_(words), may_be_absent_(may_be_absent) {}

  Problems problems;

  void check(const Word& name, const std::string& kind, const std::vector<GridLine>& lines) {
    if (find_line(lines, name.written()) || !said_.insert({kind, name.text}).second) return;
    const std::string several = trouble_of_several(lines, name.written(), kind);
    if (!several.empty()) {
      problems.add(name.at, fmt::format("{}: the {} {}", key_, words_.table, several));
      return;
    }
    if (may_be_absent_) return;
    const std::vector<std::string> known = line_labels(lines);
    problems.add(name.at,
                 fmt::format("{}: the {} has no {} '{}'{}; it has: {}", key_, words_.table, kind,
                             name.text, did_you_mean(name.text, known), joined(known)));
  }

 private:
  const std::string key_;
  const TableWords& words_;
  const bool may_be_absent_;
  std::set<std::pair<std::string, std::string>> said_;
};

/// A row or column that a profile leaves out may be one that the sweep does have.
bool has_every_line(const TableSpec& spec, const Grid& grid) {
  return spec.left_out.empty() &&
         (!grid.narrowed() || (grid.profile == "paper" && grid.settings.empty()));
}

void fill_paper_values(Table& table, const TableSpec& spec, const Grid& grid) {
  NameCheck paper("paper", spec.words, !has_every_line(spec, grid));
  for (const PaperEntry& entry : spec.paper) {
    const std::optional<size_t> row = find_line(grid.rows, entry.row.written());
    const std::optional<size_t> column = find_line(grid.columns, entry.column.written());
    paper.check(entry.row, spec.words.row, grid.rows);
    paper.check(entry.column, spec.words.column, grid.columns);
    if (!row || !column) continue;
    std::optional<PaperValue>& number = table.cells[*row][*column].paper;
    if (number)
      paper.problems.add(
          entry.column.at,
          fmt::format("paper: {} '{}', {} '{}' has two numbers, {} and {}; the first "
                      "is under another name of the same",
                      spec.words.row, grid.rows[*row].label, spec.words.column,
                      grid.columns[*column].label, number->text, entry.value.text));
    number = entry.value;
  }
  paper.problems.throw_if_any();
}

/// Of means that the paper does not print, but all of whose parts it does.
void fill_paper_means(Table& table) {
  for (size_t column = 0; column < table.columns.size(); ++column) {
    const TableColumn& mean_column = table.columns[column];
    if (mean_column.kind != CellKind::mean_of || mean_column.parts.empty()) continue;
    for (std::vector<Cell>& row : table.cells) {
      std::vector<double> printed;
      for (const size_t part : mean_column.parts) {
        if (row[part].paper) printed.push_back(row[part].paper->value);
      }
      if (row[column].paper || printed.size() != mean_column.parts.size()) continue;
      const double value = mean(printed);
      row[column].paper = {value, "(" + fixed(value, mean_column.decimals) + ")", true};
    }
  }
}

void take_bound_notes(Table& table, const TableSpec& spec, const Grid& grid) {
  if (spec.left_out.empty()) check_profiles(spec.notes, grid);
  table.bound_notes = notes_on_paper_means(table);
  NameCheck notes("notes", spec.words, !has_every_line(spec, grid));
  for (const NoteSpec& note : spec.notes) {
    if (!note.lines.empty()) table.bound_notes.push_back(note);
    for (const auto& [key, names] : note.lines) {
      const bool is_row = key == "rows";
      for (const Word& name : names)
        notes.check(name, is_row ? spec.words.row : spec.words.column,
                    is_row ? grid.rows : grid.columns);
    }
  }
  notes.problems.throw_if_any();
}

/// Each row has the last baseline above it; a single baseline is that of all rows.
void find_baselines(Table& table, const TableSpec& spec, const Grid& grid) {
  if (spec.tests.empty()) return;
  std::set<size_t> baselines;
  for (const Word& baseline : spec.tests.front().baselines) {
    const std::optional<size_t> row = find_line(grid.rows, baseline.written());
    // By its label the other rows name it.
    const WrittenValue name = row ? WrittenValue{grid.rows[*row].label} : baseline.written();
    const std::string several = trouble_of_several(grid.rows, name, "row");
    if (!several.empty()) {
      Problems().refuse(baseline.at, fmt::format("the test's baseline: the table {}", several));
    } else if (row) {
      baselines.insert(*row);
    } else if (!grid.narrowed()) {
      Problems().refuse(
          baseline.at,
          fmt::format("the test's baseline '{}' is no row of the table{}", baseline.text,
                      did_you_mean(baseline.text, line_labels(grid.rows))));
    }
  }
  if (baselines.empty()) return;
  std::optional<size_t> current;
  if (baselines.size() == 1) current = *baselines.begin();
  for (size_t row = 0; row < table.rows.size(); ++row) {
    if (baselines.contains(row))
      current = row;
    else if (current)
      table.rows[row].baseline = table.rows[*current].label;
  }
}

void take_tests(Table& table, const std::vector<TestSpec>& tests) {
  table.tests = tests;
  for (std::vector<Cell>& row : table.cells) {
    for (Cell& cell : row) cell.tests.resize(tests.size());
  }
}

/// Trials that cells wait for, by the sweep that has them.
void collect_missing(Table& table, const TableSpec& spec, const Grid& grid,
                     const TrialRecords& records) {
  std::map<std::string, std::set<std::string>> to_run;
  for (size_t row = 0; row < grid.rows.size(); ++row) {
    for (size_t column = 0; column < grid.columns.size(); ++column) {
      const Cell& cell = table.cells[row][column];
      if (cell.incomplete()) ++table.incomplete_cells;
      if (!cell.waits()) continue;  // a score that was imported for one seed is enough
      const LineSpec& r = *grid.rows[row].spec;
      const std::string sweep =
          (r.sweep ? *r.sweep : grid.columns[column].spec->sweep.value_or(spec.trials.sweep)).text;
      for (const PlannedTrial* trial : grid.trials[row][column]) {
        if (!trial->lacks.empty()) continue;
        const TrialRecord* record = find_record(records, trial->trial.id);
        const bool ended = record && record->state && has_result(*record->state);
        if (!ended) to_run[sweep].insert(trial->trial.id);
      }
    }
  }
  for (const auto& [sweep, trials] : to_run)
    table.to_run[sweep].assign(trials.begin(), trials.end());
}

/// What a run starts beside the table's own trials.
void collect_needed(Table& table, const Grid& grid, const TrialRecords& records) {
  for (const auto& [sweep, trials] : table.to_run) {
    table.needed.merge(ancestors_of(trials, grid, [&](const std::string& id) {
      const TrialRecord* record = find_record(records, id);
      return !record || !record->state || !folder_says(*record->state);
    }));
  }
  for (const auto& [sweep, trials] : table.to_run) {
    for (const std::string& id : trials) table.needed.erase(id);
  }
}

/// What keeps a cell from its number comes first, whichever of its parts has it.
void order_marks(Table& table) {
  for (std::vector<Cell>& row : table.cells) {
    for (Cell& cell : row) {
      std::stable_sort(cell.marks.begin(), cell.marks.end(),
                       [](const Mark& a, const Mark& b) { return a.kind < b.kind; });
    }
  }
}

}  // namespace

size_t Table::num_to_run() const {
  std::set<std::string> distinct;
  for (const auto& [sweep, trials] : to_run) distinct.insert(trials.begin(), trials.end());
  return distinct.size();
}

std::optional<size_t> Table::baseline_of(size_t row) const {
  const std::string& baseline = rows[row].baseline;
  return baseline.empty() ? std::nullopt : find_line(rows, {baseline});
}

size_t Table::num_trials() const {
  std::set<std::string> distinct;
  for (const std::vector<Cell>& row : cells) {
    for (const Cell& cell : row) distinct.insert(cell.trials.begin(), cell.trials.end());
  }
  return distinct.size();
}

Table make_table(const TableSpec& spec, const Grid& grid, const TrialRecords& records,
                 const ItemMetrics& metrics, TableUse use) {
  Table table;
  table.name = spec.name;
  table.title = spec.title;
  table.profile = grid.profile;
  table.settings = grid.settings;
  table.again = grid.again;
  table.sweep_names = grid.sweep_names;
  table.spread = spec.spread;
  table.wanted_seeds = spec.wanted_seeds;
  for (const GridLine& row : grid.rows) table.rows.push_back({{row.label, row.key, row.type}, ""});
  for (const GridLine& column : grid.columns) table.columns.push_back(make_column(column, spec));
  measure_cells(table, spec, grid, records);
  mark_not_applicable(table);
  find_baselines(table, spec, grid);
  mark_unlike_arms(table, spec, records);
  fill_derived_cells(table, spec, grid);
  fill_paper_values(table, spec, grid);
  fill_paper_means(table);
  take_bound_notes(table, spec, grid);
  collect_missing(table, spec, grid, records);
  collect_needed(table, grid, records);
  compare_with_baseline(table);
  table.has_item_metric = has_item_metric(table, metrics);
  if (use == TableUse::reading) take_tests(table, spec.tests);
  bootstrap_against_baseline(table, records, metrics);
  test_against_baseline(table);
  order_marks(table);
  rank_rows(table);
  table.draw_notes = notes_on_draws(table, spec, grid);
  table.notes = notes_of(table, spec);
  return table;
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

std::vector<std::string> parents_of(const Grid& grid) {
  const std::set<std::string> ids =
      ancestors_of(trials_of(grid), grid, [](const std::string&) { return true; });
  return {ids.begin(), ids.end()};
}

}  // namespace rethink
