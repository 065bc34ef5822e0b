// Single options by their names, for `rethink describe`.
#pragma once

#include <string>
#include <vector>

#include "core/config/schema.h"

namespace rethink {

/// The plug-ins that have an option of that name, with it alone: "finetune.batch", "batch" (of every
/// job), "attention.penalty" (of every attention that has one), "attention/dam.penalty". An option of
/// a plug-in that a job chooses by itself ("finetune.optimizer.lr") has the job's default. A name that
/// no job has is one of any plug-in ("penalty"). None: no option is called so.
Schema options_named(const Schema& schema, const std::string& name);

/// All such names, less those with a plug-in's in front.
std::vector<std::string> names_of_options(const Schema& schema);

}  // namespace rethink
