// A table as numbers: every cell with its trials, its spread, the paper's number and what must be
// said about it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plots/table/cell.h"
#include "plots/table/grid.h"
#include "plots/table/item_metric.h"
#include "plots/table/records.h"
#include "plots/table/table_spec.h"

namespace rethink {

struct TableRow : TableLine {
  std::string baseline;  // label of the row that it is compared with; empty: with none
};

struct TableColumn : TableLine {
  CellKind kind = CellKind::metric;
  std::string value;      // "test/perplexity@best"
  std::string direction;  // min, max, or empty
  int64_t decimals = 2;
  bool stays = false;             // shown also where no trial is planned
  double scale = 1;               // what is shown is so many times the metric: 100 of percentages
  std::optional<double> kendall;  // between our order of the rows and the paper's
  size_t kendall_rows = 0;
  size_t kendall_left_out = 0;  // rows whose models give always the same answer
  std::vector<size_t> parts{};  // columns that it is the mean or the ratio of
};

struct Table {
  std::string name, title, profile, spread;
  std::string settings;  // chosen beside the profile: "--set optimizer.lr=1 --seeds 0,1"
  CommandWords again;
  std::vector<TableRow> rows;
  std::vector<TableColumn> columns;
  std::vector<std::vector<Cell>> cells;  // [row][column]
  std::vector<TestSpec> tests;
  int64_t wanted_seeds = 3;
  size_t item_resamples = 0;            // that paired_bootstrap took
  bool has_item_metric = false;         // paired_bootstrap can compare some column
  std::vector<std::string> notes;       // said below the table, in order
  std::vector<std::string> draw_notes;  // those of them on draws (plots/table/notes.h)
  std::vector<NoteSpec> bound_notes;    // those of them that are about some lines
  std::map<std::string, std::vector<std::string>>
      to_run;                    // sweep file as the spec names it: trials yet to run
  std::set<std::string> needed;  // trials that those need, which are yet to run too
  std::map<std::string, std::string> sweep_names;  // by the same
  size_t incomplete_cells = 0;

  /// The row that this one is compared with; none where it is a baseline itself or there is none.
  std::optional<size_t> baseline_of(size_t row) const;
  size_t num_trials() const;
  size_t num_to_run() const;
};

/// `records` are of trials_of(grid), and the states of parents_of(grid). `metrics` are those that
/// paired_bootstrap can resample. Throws ConfigError when the spec names a
/// row or column that the grid does not have.
Table make_table(const TableSpec& spec, const Grid& grid, const TrialRecords& records,
                 const ItemMetrics& metrics = {}, TableUse use = TableUse::reading);

/// Ids of every trial that the table's cells are made of, each once.
std::vector<std::string> trials_of(const Grid& grid);
/// Ids of every trial that those need, and these in turn: make_table wants their states.
std::vector<std::string> parents_of(const Grid& grid);

}  // namespace rethink
