#include "plots/table/table.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/trial_state.h"
#include "plots/table/cells/item_test.h"
#include "plots/table/lines/name_check.h"
#include "plots/table/notes.h"

namespace rethink {
namespace {

/// Returns whether the row comes from `others`: its value is not in `order`.
bool is_other_value(const GridLine& row) {
  const LineSpec& line = *row.spec;
  return !line.others.empty() && std::ranges::none_of(line.order, [&](const Word& word) {
    return same_value({row.key, row.type}, word.written());
  });
}

/// A note on the rows of all values in an `order` also applies to the values that `others` adds.
NoteSpec with_other_values(NoteSpec note, const Grid& grid) {
  const auto rows = note.lines.find("rows");
  if (rows == note.lines.end()) return note;
  std::set<size_t> named;
  for (const Word& name : rows->second) {
    if (const auto row = find_line(grid.rows, name.written())) named.insert(*row);
  }
  std::map<const LineSpec*, bool> has_all;
  for (size_t row = 0; row < grid.rows.size(); ++row) {
    if (is_other_value(grid.rows[row])) continue;
    bool& all = has_all.try_emplace(grid.rows[row].spec, true).first->second;
    all = all && named.contains(row);
  }
  for (const GridLine& row : grid.rows) {
    if (is_other_value(row) && has_all[row.spec]) rows->second.push_back({row.label, {}});
  }
  return note;
}

/// Returns notes of the spec and notes on the paper's means, for the lines that they concern.
std::vector<NoteSpec> notes_on_lines(const ComparedTable& table, const TableSpec& spec,
                                     const Grid& grid) {
  if (spec.left_out.empty()) check_profiles(spec.notes, grid);
  std::vector<NoteSpec> bound = notes_on_paper_means(table);
  NameCheck notes("notes", spec.words, !has_every_line(spec, grid));
  for (const NoteSpec& note : spec.notes) {
    if (!note.lines.empty()) bound.push_back(with_other_values(note, grid));
    for (const auto& [key, names] : note.lines) {
      const bool is_row = key == "rows";
      for (const Word& name : names)
        notes.check(name, is_row ? spec.words.row : spec.words.column,
                    is_row ? grid.rows : grid.columns);
    }
  }
  notes.problems.throw_if_any();
  return bound;
}

/// Returns the trials that cells wait for, by sweep.
std::map<std::string, std::vector<std::string>> missing_trials(const Cells<Cell>& cells,
                                                               const TableSpec& spec,
                                                               const Grid& grid,
                                                               const TrialRecords& records) {
  std::map<std::string, std::set<std::string>> by_sweep;
  for (size_t row = 0; row < grid.rows.size(); ++row) {
    for (size_t column = 0; column < grid.columns.size(); ++column) {
      if (!cells[row][column].waits())
        continue;  // a score that was imported for one seed is enough
      const LineSpec& r = *grid.rows[row].spec;
      const std::string sweep =
          (r.sweep ? *r.sweep : grid.columns[column].spec->sweep.value_or(spec.trials.sweep)).text;
      for (const PlannedTrial* trial : grid.trials[row][column]) {
        if (!trial->lacks.empty()) continue;
        const TrialRecord* record = find_record(records, trial->trial.id);
        const bool ended = record && record->state && has_result(*record->state);
        if (!ended) by_sweep[sweep].insert(trial->trial.id);
      }
    }
  }
  std::map<std::string, std::vector<std::string>> missing;
  for (const auto& [sweep, trials] : by_sweep) missing[sweep].assign(trials.begin(), trials.end());
  return missing;
}

size_t num_incomplete(const Cells<Cell>& cells) {
  size_t count = 0;
  for (const std::vector<Cell>& row : cells)
    count += static_cast<size_t>(std::ranges::count_if(row, &Cell::incomplete));
  return count;
}

/// Whether a mean or ratio has trials of `part` but no number.
bool lacks_number_of_part(const Cell& cell, const Cell& part) {
  return is_derived(cell.kind) && !part.trials.empty() &&
         std::ranges::count(cell.trials, part.trials.front()) > 0;
}

/// Gives the cells of a row without the value, and means and ratios of them, the reason.
void explain(const UnrecordedValue& value, std::vector<Cell>& row) {
  for (size_t column = 0; column < row.size(); ++column) {
    if (column != value.column && !lacks_number_of_part(row[column], row[value.column])) continue;
    for (Mark& mark : row[column].marks) {
      if (mark.kind == MarkKind::no_value) mark.text = value.why;
    }
  }
}

/// Failed, cancelled and blocked trials.
bool runs_only_on_request(TrialState state) {
  return is_final(state) && !has_result(state);
}

}  // namespace

size_t TrialsToRun::num_to_run() const {
  std::set<std::string> distinct;
  for (const auto& [sweep, trials] : to_run) distinct.insert(trials.begin(), trials.end());
  return distinct.size();
}

size_t Table::num_trials() const {
  std::set<std::string> distinct;
  for (const std::vector<Cell>& row : cells) {
    for (const Cell& cell : row) distinct.insert(cell.trials.begin(), cell.trials.end());
  }
  return distinct.size();
}

ComparedTable compared_cells(const TableSpec& spec, const Grid& grid, const TrialRecords& records,
                             const ItemMetrics& metrics, TableUse use) {
  TableLines lines = table_lines(spec, grid);
  MeasuredTable measured = measured_table(std::move(lines), spec, grid, records);
  DerivedTable derived = derived_table(std::move(measured), spec, grid);
  return compared_table(std::move(derived), spec, grid, records, metrics, use);
}

TrialsToRun trials_to_run(const ComparedTable& compared, const TableSpec& spec, const Grid& grid,
                          const TrialRecords& records) {
  TrialsToRun found{missing_trials(compared.cells, spec, grid, records), {}};
  found.can_start =
      found.to_run.empty() || std::ranges::any_of(found.to_run, [&](const auto& of_sweep) {
        return std::ranges::any_of(of_sweep.second, [&](const std::string& id) {
          const TrialRecord* record = find_record(records, id);
          return !record || !record->state || !runs_only_on_request(*record->state);
        });
      });
  for (const auto& [sweep, trials] : found.to_run) {
    found.needed.merge(ancestors_of(trials, grid, [&](const std::string& id) {
      const TrialRecord* record = find_record(records, id);
      return !record || !record->state || !is_recorded_in_folder(*record->state);
    }));
  }
  for (const auto& [sweep, trials] : found.to_run) {
    for (const std::string& id : trials) found.needed.erase(id);
  }
  return found;
}

Table annotated_table(ComparedTable compared, TrialsToRun to_run, const TableFindings& findings,
                      const TableSpec& spec, const Grid& grid, const ItemMetrics& metrics) {
  Table table;
  static_cast<ComparedTable&>(table) = std::move(compared);
  static_cast<TrialsToRun&>(table) = std::move(to_run);
  table.name = spec.name;
  table.title = title_under(grid.profile, spec.title);
  table.profile = grid.profile;
  table.settings = grid.settings;
  table.again = grid.again;
  table.sweep_names = grid.sweep_names;
  table.spread = spec.spread;
  table.wanted_seeds = spec.wanted_seeds;
  table.has_item_metric = has_item_metric(table, metrics);
  table.incomplete_cells = num_incomplete(table.cells);
  for (const UnrecordedValue& value : findings.unrecorded) {
    for (const size_t row : value.rows) explain(value, table.cells[row]);
  }
  table.bound_notes = notes_on_lines(table, spec, grid);
  table.draw_notes = notes_on_draws(table, spec, grid);
  table.notes = notes_of(table, spec, grid);
  table.notes.insert(table.notes.end(), findings.notes.begin(), findings.notes.end());
  return table;
}

Table make_table(const TableSpec& spec, const Grid& grid, const TrialRecords& records,
                 const ItemMetrics& metrics, TableUse use) {
  ComparedTable compared = compared_cells(spec, grid, records, metrics, use);
  TrialsToRun to_run = trials_to_run(compared, spec, grid, records);
  return annotated_table(std::move(compared), std::move(to_run), {}, spec, grid, metrics);
}

}  // namespace rethink
