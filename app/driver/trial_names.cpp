#include "app/driver/trial_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/error.h"
#include "results/folders.h"

namespace rethink {

std::string find_trial(const std::filesystem::path& store, const std::string& name) {
  constexpr size_t kShown = 5;
  if (name.empty()) throw ConfigError("name a trial by its id, or the first digits of it");
  // A whole id needs no look at the others.
  if (std::filesystem::exists(trial_folder(store, name) / "trial.json")) return name;
  std::vector<std::string> found;
  for (const std::string& id : trials_in(store)) {
    if (id.starts_with(name)) found.push_back(id);
  }
  if (found.empty())
    throw ConfigError(fmt::format("{} has no trial '{}'; `rethink status` lists them", store.string(), name));
  if (found.size() == 1) return found.front();
  const size_t count = found.size();
  found.resize(std::min(count, kShown));
  throw ConfigError(fmt::format("'{}' could be any of {} trials; give more digits: {}{}", name, count,
                                joined(found), count > kShown ? ", ..." : ""));
}

}  // namespace rethink
