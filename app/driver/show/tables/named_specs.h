// Tables and figures that a command line names: by a spec's file, or by a sweep, from whose axes a
// table and figures are made.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/driver/show/tables/table_view.h"
#include "plots/table/table_kind.h"

namespace rethink {

/// A table before its trials are looked up.
struct NamedTable {
  TableFile file;
  std::filesystem::path spec;  // file of the spec; empty: made from a sweep
  std::string text;            // for a sweep: the text of the spec, as in --write-spec
  std::optional<Plans> plans;  // for a sweep
  std::string note{};          // for a sweep: its other stages and tables; empty: none
};

/// Returns whether `name` is the name or the file of a sweep, and not of a spec of `kind`
/// ("tables", "figures").
bool names_sweep(const std::string& kind, const std::string& name,
                 const std::vector<std::filesystem::path>& paths);

/// Returns the sweeps of the spec of this name, or the sweep itself. Throws ConfigError as sweeps_of_spec.
std::vector<std::filesystem::path> sweep_files_named(const std::string& kind,
                                                     const std::string& name,
                                                     const CommandContext& context);

/// Returns the table of `name`: a table's spec, or a sweep's table of `stage` ("" = stage_to_show).
/// If a spec on this sweep has the name of the sweep's table (as after --write-spec), this is the spec.
/// Throws ConfigError as spec_file_named, plan_of_sweep and table_spec_of_sweep do.
NamedTable table_named(const CommandContext& context, const std::string& name,
                       const RenderingChoices& chosen, const std::string& stage = "");

/// Returns plan_view of such a table.
TableView plan_view(const CommandContext& context, NamedTable named, const RenderingChoices& chosen,
                    const std::string& name);

/// A figure before its trials are looked up.
struct NamedFigure {
  FigureSpec figure;
  std::filesystem::path spec;  // empty: made from a sweep
  std::optional<Plans> plans;  // for a sweep
};

/// Returns the figures of `name`: a figure's spec, or a sweep's curves and bars. Throws in the same
/// way.
std::vector<NamedFigure> figures_named(const CommandContext& context, const std::string& name,
                                       const RenderingChoices& chosen,
                                       const std::string& stage = "");

/// Returns plan_view of such a figure.
FigureView plan_view(const CommandContext& context, NamedFigure named,
                     const RenderingChoices& chosen);

/// Writes the spec of a sweep's table to a new file, with a path from there to the sweep. Throws
/// ConfigError if the file exists, and if the spec would take the name of another table.
void write_table_spec(const CommandContext& context, const std::string& sweep,
                      const NamedTable& table, const std::filesystem::path& file);

}  // namespace rethink
