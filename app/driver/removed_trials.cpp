#include "app/driver/removed_trials.h"

#include "core/file.h"
#include "core/kill_point.h"
#include "core/store_file.h"
#include "results/folders.h"
#include "results/rebuild.h"

namespace rethink {
namespace {

constexpr const char* kPrefix = ".removed-";

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

void finish_removal(const std::filesystem::path& store) {
  sync_folder(store / "trials");
  rebuild(store);
  kill_point("before_trials_deleted");
  for (const std::filesystem::path& aside : trials_set_aside(store)) remove_tree(aside);
}

}  // namespace rethink
