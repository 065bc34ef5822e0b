// Which metrics a trial will have, from the facts of its job (experiments/attempt/job.h): so that a
// stage that chooses by a metric is checked before anything runs.
#pragma once

#include <string>
#include <vector>

#include "experiments/schedule/stage_points.h"

namespace rethink {

/// "train/loss", "dev/score", ..., without @last and the like, of a trial of `job`; empty where the
/// job does not say.
std::vector<std::string> recorded_metrics(const PluginSchema& job, const Json& config,
                                          const Schema& schema);

/// Whether the result of a done trial has `metric` ("dev/score", "dev/score@best"); true where the
/// job does not say.
bool records_metric(const PluginSchema& job, const Json& config, const std::string& metric,
                    const Schema& schema);

/// A sentence when `stage` chooses on the split that is reported at the end; "" otherwise.
std::string note_on_choice(const ExpandedStage& stage);

/// Adds a problem when `stage` chooses among trials by a metric that one of them will not have.
void check_chosen_metric(const std::vector<ExpandedStage>& stages, const ExpandedStage& stage,
                         const Schema& schema, Problems& problems);

}  // namespace rethink
