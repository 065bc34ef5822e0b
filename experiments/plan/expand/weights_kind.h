// Whether weights are of the kind of model that a job or an analysis loads.
#pragma once

#include <vector>

#include "experiments/plan/expand/stage_points.h"

namespace rethink {

/// Adds a problem at the need where `reader`, the job of a stage or a plug-in chosen in it, loads
/// weights of one kind of model, and the stage `parent` leaves those of another kind (fact
/// "weights_of", experiments/attempt/job.h). Returns whether it did. The weights of a select are
/// those of its candidates. A plug-in without the fact fits any.
bool report_other_weights(const std::vector<ExpandedStage>& stages, const PluginSchema& reader,
                          const Need& need, const ExpandedStage& parent, Problems& problems);

}  // namespace rethink
