// Keys of a sweep file with too little indentation, which YAML reads as stages or as keys of the
// file. They are reported once, and then read as they were probably meant.
#pragma once

#include <string>
#include <vector>

#include "core/config/schema.h"
#include "core/yaml/yaml.h"

namespace rethink {

/// Keys of a file, and a stage's keys that belong to the planner: job, needs, grid, ...
const std::vector<std::string>& sweep_words();
const std::vector<std::string>& stage_words();

/// Returns the text of a sweep file in which misplaced keys of stages, among the stages or beside
/// 'stages', are moved to their probable positions, each with a problem.
Yaml keys_in_place(Yaml text, const Schema& schema, Problems& problems);

}  // namespace rethink
