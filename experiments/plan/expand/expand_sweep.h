// The pass "expand" of planning: the points of every stage, in an order in which stages can run.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/config/note.h"
#include "experiments/plan/expand/stage_axes.h"
#include "experiments/plan/expand/stage_points.h"

namespace rethink {

struct ExpandedSweep {
  std::vector<ExpandedStage> stages;  // without those in which something is wrong
  std::set<std::string> draw_axes;    // Plan::draw_axes
  std::vector<Note> notes;            // Plan::notes; none of a sample
  std::vector<NamedData> data;        // of stages in which something is wrong
};

enum class Extent { whole, sample };  // a sample is for finding problems: every label once

/// Returns all stages expanded. A mistake in a stage does not prevent checks of the others, but its
/// children cannot be expanded.
ExpandedSweep expand_sweep(SweepSpec& sweep, const PlanChoices& choices, const Schema& schema,
                           Extent extent, Problems& problems);

}  // namespace rethink
