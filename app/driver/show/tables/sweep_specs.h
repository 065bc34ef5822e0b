// Tables and figures of a sweep that a command line names, made from the sweep's axes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/driver/show/tables/table_view.h"

namespace rethink {

/// Returns whether `name` is the name or the file of a sweep, and not of a spec of `kind`
/// ("tables", "figures").
bool names_sweep(const std::string& kind, const std::string& name,
                 const std::vector<std::filesystem::path>& paths);

/// A sweep as a command line names it, and one of its stages.
struct SweepStage {
  std::string sweep, stage;
};
/// Returns what SWEEP/STAGE names, as the table of a sweep is titled: SWEEP is a sweep in the library, a file without
/// its ending, or the name of a sweep of the store whose file exists. Nothing if a spec of `kind` has this name.
std::optional<SweepStage> stage_named(const std::string& kind, const std::string& name,
                                      const CommandContext& context);

/// Returns the sweeps of the spec of this name, or the sweep itself, also for SWEEP/STAGE. Throws ConfigError as sweeps_of_spec.
std::vector<std::filesystem::path> sweep_files_named(const std::string& kind,
                                                     const std::string& name,
                                                     const CommandContext& context);

/// Returns the table of a sweep's `stage` ("" = stage_to_show). If a spec on this sweep has the name
/// of the sweep's table (as after --write-spec), this is the spec. Throws ConfigError as
/// make_plan_with_hints and table_spec_of_sweep do.
NamedTable table_of_sweep(const CommandContext& context, const std::string& name,
                          const RenderingChoices& chosen, const std::string& stage);

/// Returns a sweep's curves and bars. Throws in the same way.
std::vector<NamedFigure> figures_of_sweep(const CommandContext& context, const std::string& name,
                                          const RenderingChoices& chosen, const std::string& stage);

/// Writes the spec of a sweep's table to a new file, with a path from there to the sweep. Throws
/// ConfigError if the file exists, and if the spec would take the name of another table.
void write_table_spec(const CommandContext& context, const std::string& sweep,
                      const NamedTable& table, const std::filesystem::path& file);

}  // namespace rethink
