// Keys of a sweep file that are indented too little, so that YAML takes them for stages or for keys
// of the file: reported once, and read as they were probably meant.
#pragma once

#include <string>
#include <vector>

#include "core/config/schema.h"
#include "core/config/yaml.h"

namespace rethink {

/// The keys of a file, and those of a stage that are the planner's own: job, needs, grid, ...
const std::vector<std::string>& sweep_words();
const std::vector<std::string>& stage_words();

/// The text of a sweep file with the keys of stages that stand among the stages, or beside
/// 'stages', moved to where they are probably meant, each with a problem.
Yaml keys_in_place(Yaml text, const Schema& schema, Problems& problems);

}  // namespace rethink
