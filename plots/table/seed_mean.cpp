#include "plots/table/seed_mean.h"

#include <algorithm>

#include "core/config/check.h"

namespace rethink {

std::map<int64_t, std::vector<std::string>> whole_seeds(
    const Cell& cell, const std::function<bool(const std::string& trial)>& has_value) {
  std::map<int64_t, std::vector<std::string>> seeds;
  for (size_t i = 0; i < cell.trials.size(); ++i)
    seeds[cell.trial_seeds[i]].push_back(cell.trials[i]);
  std::erase_if(seeds,
                [&](const auto& seed) { return !std::ranges::all_of(seed.second, has_value); });
  return seeds;
}

double mean_of_trials(const std::vector<double>& values) {
  RETHINK_ASSERT(!values.empty(), "the mean of no trials");
  double mean = 0;
  size_t count = 0;
  for (const double value : values) mean += (value - mean) / static_cast<double>(++count);
  return mean;
}

}  // namespace rethink
