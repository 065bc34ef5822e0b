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
/// Returns the kinds of files that a trial leaves because of such a plug-in.
std::vector<std::string> outputs_left(const PluginSchema& plugin);

/// Adds a problem for each of these cases (facts: core/facts/job_facts.h): a chosen plug-in reads
/// an input that is not filled; a filled input that no plug-in reads; a stage fills an input but
/// does not leave such files, or leaves another kind of weights; not exactly one of several
/// alternative inputs is filled; an option belongs to an input that is not filled.
void check_plugin_inputs(const std::vector<ExpandedStage>& stages, const ExpandedStage& stage,
                         const Schema& schema, Problems& problems);

}  // namespace rethink
