// Conditions between fields (core/config/rule.h) applied to a value that is complete and typed.
#pragma once

#include <vector>

#include "core/config/schema.h"
#include "core/config/yaml.h"

namespace rethink {

/// One map of options: what it means, and the map that it was read from (null: nothing was given).
struct CheckedBlock {
  const Json& complete;
  const Yaml* given;
  Position where;
  std::vector<std::string> flawed{};  // fields that had a problem
};

/// Adds a problem for every rule that does not hold, at the value that breaks it; of a flawed field
/// nothing is said. Requires: every other field has its type, so that a rule can compare them.
void check_rules(const std::vector<Rule>& rules, const CheckedBlock& block, const Schema& schema,
                 Problems& problems);

}  // namespace rethink
