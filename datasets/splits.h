// Splits that are kept in a list and asked for by their names.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "core/error.h"

namespace rethink {

template <typename Split>
std::vector<std::string> names_of(const std::vector<Split>& splits) {
  std::vector<std::string> names;
  for (const Split& split : splits) names.push_back(split.name);
  return names;
}

/// Throws TrialError, which ends with `advice`, when there is none of this name.
template <typename Split>
const Split& split_named(const std::string& name, const std::vector<Split>& splits,
                         const std::string& dataset, const std::string& advice = "") {
  for (const Split& split : splits) {
    if (split.name == name) return split;
  }
  throw TrialError(fmt::format("data set '{}' has no split '{}'; it has {}{}", dataset, name,
                               joined(names_of(splits)), advice));
}

}  // namespace rethink
