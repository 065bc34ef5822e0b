// Conditions between fields (core/config/rule.h) applied to a value that is complete and typed.
#pragma once

#include <vector>

#include "core/config/schema.h"
#include "core/yaml/yaml.h"

namespace rethink {

/// A map of options: its values, and the map that was read (null if nothing was written).
struct CheckedBlock {
  const Json& complete;
  const Yaml* given;
  Position where;
  std::vector<std::string> flawed{};  // fields that had a problem
};

/// Adds a problem for every broken rule, at the value that breaks it. Rules on flawed fields are
/// skipped. Requires: every other field has its type, so that a rule can compare values.
void check_rules(const std::vector<Rule>& rules, const CheckedBlock& block, const Schema& schema,
                 Problems& problems);

}  // namespace rethink
