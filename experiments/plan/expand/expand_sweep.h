// The pass "expand" of planning: the points of every stage, in an order in which the stages can run.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/config/note.h"
#include "experiments/plan/expand/stage_axes.h"
#include "experiments/plan/expand/stage_points.h"

namespace rethink {

struct ExpandedSweep {
  std::vector<ExpandedStage> stages;  // without stages that have a mistake
  std::set<std::string> draw_axes;    // Plan::draw_axes
  std::vector<Note> notes;            // Plan::notes; empty for a sample
  std::vector<NamedData> data;        // of stages that have a mistake
};

enum class Extent { whole, sample };  // a sample has every label once, to find problems

/// Returns all stages expanded. A mistake in a stage does not prevent checks of the others, but its
/// children cannot be expanded.
ExpandedSweep expand_sweep(SweepSpec& sweep, PresetFiles& presets, const PlanChoices& choices,
                           const Schema& schema, Extent extent, Problems& problems);

}  // namespace rethink
