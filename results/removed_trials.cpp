#include "results/removed_trials.h"

#include <string_view>

#include "core/file.h"
#include "core/kill_point.h"
#include "core/owner.h"
#include "results/database_place.h"
#include "results/folders.h"
#include "results/rebuild.h"

namespace rethink {
namespace {

constexpr const char* kPrefix = ".removed-";

/// Whether the index still has some of the trials of these folders.
bool is_indexed(const std::filesystem::path& store,
                const std::vector<std::filesystem::path>& asides) {
  if (!has_database(database_path(store))) return true;
  std::vector<std::string> trials;
  for (const std::filesystem::path& aside : asides) trials.push_back(trial_set_aside(aside));
  return !Store(store, Store::Access::read).states(trials).empty();
}

/// Returns what could not be deleted.
std::vector<std::string> delete_asides(const std::filesystem::path& store) {
  std::vector<std::string> troubles;
  for (const std::filesystem::path& aside : trials_set_aside(store)) {
    try {
      remove_tree(aside);
    } catch (const MachineError& error) {
      troubles.emplace_back(error.what());
    }
  }
  return troubles;
}

}  // namespace

void set_trial_aside(const std::filesystem::path& store, const std::string& trial) {
  const std::filesystem::path folder = trial_folder(store, trial);
  const std::filesystem::path aside = store / "trials" / (kPrefix + trial);
  if (!std::filesystem::exists(folder)) return;
  remove_tree(aside);
  std::filesystem::rename(folder, aside);
  kill_point("after_trial_set_aside");
}

std::vector<std::filesystem::path> trials_set_aside(const std::filesystem::path& store) {
  std::vector<std::filesystem::path> found;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(store / "trials", none)) {
    if (entry.path().filename().string().starts_with(kPrefix)) found.push_back(entry.path());
  }
  return found;
}

std::string trial_set_aside(const std::filesystem::path& folder) {
  return folder.filename().string().substr(std::string_view(kPrefix).size());
}

std::vector<std::string> finish_removal(const std::filesystem::path& store) {
  sync_folder(store / "trials");
  rebuild(store);
  kill_point("before_trials_deleted");
  return delete_asides(store);
}

std::vector<std::string> finish_earlier_removals(const std::filesystem::path& store) {
  const std::vector<std::filesystem::path> asides = trials_set_aside(store);
  if (asides.empty()) return {};
  return is_indexed(store, asides) ? finish_removal(store) : delete_asides(store);
}

}  // namespace rethink
