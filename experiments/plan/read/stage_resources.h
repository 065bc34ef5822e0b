// Reads `resources`, `retry`, `limits` and `keep` of a sweep and its stages: how trials run, never
// part of their identity.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/config/schema.h"
#include "core/config/yaml.h"
#include "experiments/plan/plan.h"

namespace rethink {

/// How often each outcome is tried again where a sweep says nothing (docs/sweeps.md).
const std::map<std::string, int>& usual_retries();

/// What `settings` of a sweep and of one of its stages mean together.
StageResources resources_of(const Yaml& sweep, const Yaml& stage, Problems& problems);

/// Adds a problem for what a stage with these settings, which mean `resources`, asks for and `machine`
/// lacks. `runs_program`: the fact of the stage's job.
void check_resources(const StageResources& resources, bool runs_program, const Yaml& sweep,
                     const Yaml& stage, const Machine& machine, Problems& problems);

/// The keys that `settings` holds, with what is below them: resources, retry, limits, keep.
const std::vector<Field>& setting_fields();
bool is_setting(const std::string& key);

}  // namespace rethink
