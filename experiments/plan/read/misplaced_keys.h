// Keys of a sweep file that are indented too little, so that YAML takes them for stages or for keys
// of the file: reported once, and read as they were probably meant.
#pragma once

#include <string>
#include <vector>

#include "core/config/schema.h"
#include "core/config/yaml.h"

namespace rethink {

/// Keys of a file, and a stage's keys that belong to the planner: job, needs, grid, ...
const std::vector<std::string>& sweep_words();
const std::vector<std::string>& stage_words();

/// Returns the text of a sweep file in which misplaced keys of stages, among the stages or beside
/// 'stages', are moved to their probable positions, each with a problem.
Yaml keys_in_place(Yaml text, const Schema& schema, Problems& problems);

}  // namespace rethink
