// A table as readers see it: compared cells, what is said below them, and which trials are yet to run. It is made in
// stages, each a type of its own and a function of those before it:
//   TableLines     of the spec and the grid        plots/table/lines/table_lines.h
//   MeasuredTable  of the trials' records          plots/table/cells/measured_table.h
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

#include "plots/table/cells/compared_table.h"
#include "plots/table/cells/item_metric.h"
#include "plots/table/lines/grid.h"
#include "plots/table/lines/wanted_values.h"
#include "plots/table/table_spec.h"

namespace rethink {

/// Trials that a run would start, by the sweep file in the spec.
struct TrialsToRun {
  std::map<std::string, std::vector<std::string>> to_run;  // trials of the table
  std::set<std::string> needed;  // trials that those need, which are yet to run too

  size_t num_to_run() const;
};

struct Table : ComparedTable, TrialsToRun {
  std::string name, title, profile, spread;
  std::string settings;  // chosen beside the profile: "--set optimizer.lr=1 --seeds 0,1"
  CommandWords again;
  std::map<std::string, std::string> sweep_names;  // by the sweep file as the spec names it
  int64_t wanted_seeds = 3;
  bool has_item_metric = false;  // paired_bootstrap can compare some column
  size_t incomplete_cells = 0;
  std::vector<std::string> notes;       // said below the table, in order
  std::vector<std::string> draw_notes;  // those of them on draws (plots/table/notes.h)
  std::vector<NoteSpec> bound_notes;    // those of them that are about some lines

  size_t num_trials() const;
};

/// `records` are of trials_of(grid), and the states of parents_of(grid). `metrics` are those that
/// paired_bootstrap can resample. Throws ConfigError when the spec names a
/// row or column that the grid does not have.
Table make_table(const TableSpec& spec, const Grid& grid, const TrialRecords& records,
                 const ItemMetrics& metrics = {}, TableUse use = TableUse::reading);

}  // namespace rethink
