// Single options by their names, for `rethink describe`.
#pragma once

#include <string>
#include <vector>

#include "core/config/schema.h"

namespace rethink {

/// Returns the plug-ins that have an option of this name, each with only this option: "finetune.batch", "batch" (of
/// every job), "attention.penalty" (of every attention that has it), "attention/dam.penalty". An option of a plug-in
/// that a job chooses ("finetune.optimizer.lr") has the job's default. A name that no job has means an option of any
/// plug-in ("penalty"). Empty for an unknown name.
Schema options_named(const Schema& schema, const std::string& name);

/// Returns all such names, without those that begin with a plug-in's name.
std::vector<std::string> names_of_options(const Schema& schema);

}  // namespace rethink
