// Checks the inputs that a stage's plug-ins read and the outputs that they leave, so that `plan`
// reports what would fail or be silently ignored in a run.
#pragma once

#include <string>
#include <vector>

#include "experiments/plan/expand/stage_points.h"

namespace rethink {

/// Returns the trial's inputs that an attention variant or an analysis reads; none for another
/// plug-in.
std::vector<std::string> inputs_read(const PluginSchema& plugin);
/// The kinds of files that such a plug-in lets the trial leave.
std::vector<std::string> outputs_left(const PluginSchema& plugin);

/// Adds a problem where a chosen plug-in reads an input that nothing fills, where an input is filled
/// that none reads, where the stage that shall fill one does not leave it or leaves
/// another kind of weights, where not exactly one of
/// several inputs is filled, and where an option is of one that is not (facts:
/// core/facts/job_facts.h).
void check_plugin_inputs(const std::vector<ExpandedStage>& stages, const ExpandedStage& stage,
                         const Schema& schema, Problems& problems);

}  // namespace rethink
