// A table that a command line names, loaded once, for the commands table, why, report and claims:
// its file, the plans of its sweeps, the trials of each cell, their records, and the resulting
// table. A figure is loaded in the same way.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/driver/command.h"
#include "app/driver/show/tables/rendering.h"
#include "plots/figure/figure.h"
#include "plots/table/cells/item_metric.h"
#include "plots/table/lines/grid.h"
#include "plots/table/lines/wanted_values.h"
#include "plots/table/table.h"
#include "plots/table/table_kind.h"
#include "results/store/store.h"

namespace rethink {

/// A table before its trials are looked up.
struct NamedTable {
  TableFile file;
  std::filesystem::path spec;  // file of the spec; empty: made from a sweep
  std::string text;            // for a sweep: the text of the spec, as in --write-spec
  std::optional<Plans> plans;  // for a sweep
  std::string note{};          // for a sweep: its other stages and tables; empty: none
};

/// Returns the table of `name`: a table's spec, or the table of a sweep's `stage`
/// (sweep_specs.h). Throws ConfigError as spec_file_named, read_table_file and table_of_sweep do.
NamedTable table_named(const CommandContext& context, const std::string& name,
                       const RenderingChoices& chosen, const std::string& stage = "");

struct TableView {
  TableView(TableFile read, Plans planned) : file(std::move(read)), plans(std::move(planned)) {}
  TableView(TableView&&) = default;  // no copies: `grid` refers to `file` and `plans`

  TableFile file;
  Plans plans;  // of every sweep of the file
  Grid grid;
  TrialRecords records;
  ItemMetrics metrics;
  std::map<std::string, std::string> stale;  // why trials are stale, by id; empty: none is to run
  std::variant<Table, KindTable> made;

  /// Requires: a table of numbers.
  const Table& numbers() const { return std::get<Table>(made); }
};

/// Returns the trials of each cell, without their records. Throws ConfigError as make_grid.
TableView plan_table_view(TableFile file, Plans plans, const CommandWords& again);

/// Returns plan_table_view of a file and of its sweeps. Throws ConfigError as make_grid.
TableView plan_table_view(const CommandContext& context, TableFile file,
                          const RenderingChoices& chosen, const std::string& name);

/// Returns plan_table_view of such a table.
TableView plan_table_view(const CommandContext& context, NamedTable named,
                          const RenderingChoices& chosen, const std::string& name);

/// Adds the ids of the grid's trials, and of all trials that they need.
void add_trials_with_needs(const Grid& grid, std::set<std::string>& ids);

/// Opens the store; null for a store without a database, in which nothing has run.
std::unique_ptr<Store> open_store(const CommandContext& context);

/// Reads the records that the table needs, and makes the table; call it again after a run. `store`
/// may be null. Throws ConfigError as check_metrics and make_table.
void read_view(const CommandContext& context, Store* store, TableUse use, TableView& view);

/// A figure before its trials are looked up.
struct NamedFigure {
  FigureSpec figure;
  std::filesystem::path spec;  // empty: made from a sweep
  std::optional<Plans> plans;  // for a sweep
};

/// Returns the figures of `name`: a figure's spec, or a sweep's curves and bars. Throws in the same
/// way as table_named.
std::vector<NamedFigure> figures_named(const CommandContext& context, const std::string& name,
                                       const RenderingChoices& chosen,
                                       const std::string& stage = "");

struct FigureView {
  FigureView(FigureSpec read, Plans planned) : spec(std::move(read)), plans(std::move(planned)) {}
  FigureView(FigureView&&) = default;  // no copies: `grids` refer to `spec` and `plans`

  FigureSpec spec;
  Plans plans;  // of every sweep of the file
  FigureGrids grids;
  Figure made;
};

/// Returns the trials of each point, without their records. Throws ConfigError as make_grid.
FigureView plan_figure_view(const CommandContext& context, FigureSpec spec,
                            const RenderingChoices& chosen);

/// Returns plan_figure_view of such a figure.
FigureView plan_figure_view(const CommandContext& context, NamedFigure named,
                            const RenderingChoices& chosen);

/// Reads the records that the figure needs, and makes the figure; call it again after a run.
/// `store` may be null. Throws ConfigError as check_metrics.
void read_view(const CommandContext& context, Store* store, FigureView& view);

}  // namespace rethink
