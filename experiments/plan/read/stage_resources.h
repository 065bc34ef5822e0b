// Reads `resources`, `retry`, `limits` and `keep` of a sweep and its stages. They say how trials
// run and are never part of their identity.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/config/schema.h"
#include "core/trial_state.h"
#include "core/yaml/yaml.h"
#include "experiments/plan/plan.h"

namespace rethink {

/// Default numbers of retries (docs/sweeps.md). Other outcomes are never retried.
const std::map<AttemptOutcome, int>& usual_retries();

/// Returns the resources from `settings` of a sweep and of a stage together.
StageResources resources_of(const Yaml& sweep, const Yaml& stage, Problems& problems);

/// Adds a problem for each request of a stage with these settings, which mean `resources`, that
/// `machine` cannot satisfy. `runs_program` is the fact of the stage's job.
void check_resources(const StageResources& resources, bool runs_program, const Yaml& sweep,
                     const Yaml& stage, const Machine& machine, Problems& problems);

/// Keys of `settings` with their sub-keys: resources, retry, limits, keep.
const std::vector<Field>& setting_fields();
bool is_setting(const std::string& key);

}  // namespace rethink
