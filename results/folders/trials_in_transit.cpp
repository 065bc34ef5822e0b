#include "results/folders/trials_in_transit.h"

#include "core/files/file.h"
#include "core/files/owner.h"
#include "core/store_files/trial_folder.h"
#include "core/system/kill_point.h"
#include "results/folders/stored_trial.h"

namespace rethink {
namespace {

constexpr std::string_view kRemoved = ".removed-";

}  // namespace

void set_trial_aside(const std::filesystem::path& store, const std::string& trial) {
  const std::filesystem::path folder = trial_folder(store, trial);
  const std::filesystem::path aside = trials_folder(store) / (std::string(kRemoved) + trial);
  if (!std::filesystem::exists(folder)) {
    std::filesystem::create_directory(aside);
    return;
  }
  remove_tree(aside);
  std::filesystem::rename(folder, aside);
  kill_point("after_trial_set_aside");
}

std::vector<std::filesystem::path> trials_set_aside(const std::filesystem::path& store) {
  std::vector<std::filesystem::path> found;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(trials_folder(store), none)) {
    if (entry.path().filename().string().starts_with(kRemoved)) found.push_back(entry.path());
  }
  return found;
}

std::string trial_set_aside(const std::filesystem::path& folder) {
  return folder.filename().string().substr(kRemoved.size());
}

void put_back_trials(const std::filesystem::path& store) {
  bool any = false;
  for (const std::filesystem::path& path : merge_leftovers(store)) {
    const std::string name = path.filename().string();
    if (!name.starts_with(kLeaving)) continue;
    const std::filesystem::path ours = trial_folder(store, name.substr(kLeaving.size()));
    if (std::filesystem::exists(ours)) continue;
    std::filesystem::rename(path, ours);
    any = true;
  }
  if (any) sync_folder(trials_folder(store));
}

std::vector<std::filesystem::path> merge_leftovers(const std::filesystem::path& store) {
  std::vector<std::filesystem::path> leftovers;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(trials_folder(store), none)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(kArriving) || name.starts_with(kLeaving))
      leftovers.push_back(entry.path());
  }
  return leftovers;
}

}  // namespace rethink
