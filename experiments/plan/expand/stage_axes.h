// Expands the axes of a stage for each point of its dependencies, and checks a stage whose
// dependencies have mistakes as far as possible.
#pragma once

#include <vector>

#include "core/config/schema.h"
#include "core/error.h"
#include "experiments/plan/expand/stage_points.h"
#include "experiments/plan/read/presets.h"
#include "experiments/plan/read/sweep_file.h"
#include "experiments/plan/read/written_path.h"

namespace rethink {

/// Expands the axes of `child` over `parents` and completes each point's configuration.
void expand_axes(const std::vector<ExpandedStage>& stages, ExpandedStage& child,
                 const std::vector<Parents>& parents, const Schema& schema, Presets& presets,
                 WrittenPaths& paths, Problems& problems);

/// Adds problems for names in `when`, `exclude` and `over` of a stage that cannot be expanded, if
/// no axis, option or stage has the name.
void report_without_parents(const SweepSpec& sweep, const StageSpec& spec, const PluginSchema& job,
                            const Schema& schema, Problems& problems);

/// Adds problems in the options of a stage that cannot be expanded, whatever it would inherit.
/// Checks each value of each axis once. Does nothing if points depend on more than their own axis.
void check_own_options(const StageSpec& spec, const PluginSchema& job, const Schema& schema,
                       Presets& presets, Problems& problems);

/// The data sets named by a stage that has another mistake.
struct NamedData {
  const StageSpec* stage = nullptr;
  std::map<std::string, std::string> labels;  // labels of the point that names them
  OptionsSchema options;                      // options of the data sets only
  Json config;                                // complete
};

/// Returns the data sets that the options name, so that missing files are reported beside the
/// mistakes. Returns nothing if points depend on more than their own axis, and for a data set with
/// a mistake.
std::vector<NamedData> data_named_in(const StageSpec& spec, const PluginSchema& job,
                                     const Schema& schema, Presets& presets, WrittenPaths& paths);

}  // namespace rethink
