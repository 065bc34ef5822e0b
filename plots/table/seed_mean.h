// The mean that tables and figures share: over seeds, of the mean over each seed's trials, which
// differ in the axes of `over`.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "plots/table/table.h"

namespace rethink {

/// The trials of each seed of `cell` of which every trial `has_value`. The others are left out: a
/// mean over some values of an axis does not compare with a mean over all of them.
std::map<int64_t, std::vector<std::string>> whole_seeds(
    const Cell& cell, const std::function<bool(const std::string& trial)>& has_value);

/// Of one seed. Equal values have exactly that value as their mean. Requires: not empty.
double mean_of_trials(const std::vector<double>& values);

}  // namespace rethink
