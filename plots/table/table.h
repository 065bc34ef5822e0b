// A table for readers: compared cells, the notes below them, and the trials that must still run. It
// is made in stages. Each stage is a type, made by a function of the earlier stages:
//   TableLines     of the spec and the grid        plots/table/lines/table_lines.h
//   MeasuredTable  of the trials' records          plots/table/cells/measured_cell.h
//   DerivedTable   of measured cells of its row    plots/table/cells/derived_table.h
//   ComparedTable  with the paper and a baseline   plots/table/cells/compared_table.h
//   Table          with its notes                  here
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plots/sheet.h"
#include "plots/table/cells/compared_table.h"
#include "plots/table/cells/item_metric.h"
#include "plots/table/lines/grid.h"
#include "plots/table/lines/wanted_values.h"
#include "plots/table/table_spec.h"

namespace rethink {

/// Trials that a run would start, by the sweep file in the spec.
struct TrialsToRun {
  std::map<std::string, std::vector<std::string>> to_run;  // trials of the table
  std::set<std::string> needed;  // trials that `to_run` needs and that must run too
  bool can_start =
      true;  // a run starts at least one: not all failed, were cancelled or are blocked

  size_t num_to_run() const;
};

struct Table : ComparedTable, TrialsToRun {
  std::string name, title, profile, spread;
  std::string settings;  // choices beside the profile: "--set optimizer.lr=1 --seeds 0,1"
  CommandWords again;
  std::map<std::string, std::string> sweep_names;  // by the sweep file in the spec
  int64_t wanted_seeds = 3;
  bool has_item_metric = false;  // paired_bootstrap can compare a column
  size_t incomplete_cells = 0;
  std::vector<SheetNote> notes;         // below the table, in order
  std::vector<std::string> draw_notes;  // the notes on draws (plots/table/notes.h)
  std::vector<NoteSpec> bound_notes;    // the notes on some lines only

  size_t num_trials() const;
};

/// A column's value that no trial of some rows recorded, though all of them are done.
struct UnrecordedValue {
  size_t column = 0;
  std::vector<size_t> rows;
  std::string why;  // "no trial of stage 'speed' has recorded measurement 'forwrd_ms'; ..."
};

/// What the last stage adds from the store and the schema.
struct TableFindings {
  std::vector<UnrecordedValue> unrecorded;  // cells without such a value say why, and so do means
                                            // and ratios of these cells
  std::vector<SheetNote> notes;             // below the table's own notes
};

/// Makes the stages before the last. `records` has trials_of(grid) and the states of
/// needed_trials(grid). `metrics` are those that paired_bootstrap can resample. Throws ConfigError if
/// the spec names a row or column that the grid lacks.
ComparedTable compared_cells(const TableSpec& spec, const Grid& grid, const TrialRecords& records,
                             const ItemMetrics& metrics = {}, TableUse use = TableUse::reading);

/// Returns the trials that the cells wait for.
TrialsToRun trials_to_run(const ComparedTable& compared, const TableSpec& spec, const Grid& grid,
                          const TrialRecords& records);

/// The last stage. `to_run` is trials_to_run of `compared`. Throws ConfigError if a note names a
/// row, column or profile that the grid lacks.
Table annotated_table(ComparedTable compared, TrialsToRun to_run, const TableFindings& findings,
                      const TableSpec& spec, const Grid& grid, const ItemMetrics& metrics);

/// Makes all stages, without findings. Throws ConfigError as compared_cells and annotated_table.
Table make_table(const TableSpec& spec, const Grid& grid, const TrialRecords& records,
                 const ItemMetrics& metrics = {}, TableUse use = TableUse::reading);

}  // namespace rethink
