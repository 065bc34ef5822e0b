#include "results/foreign_parts.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

#include "core/owner.h"
#include "core/store_file.h"
#include "results/folders.h"
#include "results/outside_scores.h"

namespace rethink {
namespace {

constexpr std::string_view kAttemptPrefix = "attempt-";

const std::set<std::string>& own_folders() {
  static const std::set<std::string> names = {"checkpoints", "artifacts"};
  return names;
}

const std::set<std::string>& own_files() {
  static const std::set<std::string> names = {"trial.json",      "lock",       "result.json",
                                              "old_result.json", "state.json", kScoresFile};
  return names;
}

/// Asks the system only about what is not as it should be: a run looks at every trial.
std::string part_problem(const std::filesystem::directory_entry& part) {
  const std::string name = part.path().filename().string();
  std::error_code gone;
  const bool is_link = part.is_symlink(gone);
  if (own_folders().count(name) || name.starts_with(kAttemptPrefix))
    return is_link || !part.is_directory(gone) ? store_folder_problem(part.path()) : "";
  if (!own_files().count(name)) return "";
  return is_link || !part.is_regular_file(gone) ? store_file_problem(part.path()) : "";
}

/// Whether the user's rights, and nothing else, keep us from using `path` so.
bool is_forbidden(const std::filesystem::path& path, int use) {
  return access(path.c_str(), use) != 0 && errno == EACCES;
}

std::string forbidden_text(const std::filesystem::path& path, const char* use) {
  return fmt::format("{}: may not be {}: {}{}", path.string(), use, std::strerror(EACCES),
                     refusal_text(path));
}

}  // namespace

std::string damaged_file_text(const std::filesystem::path& file) {
  const std::string problem = store_file_problem(file), place = file.string() + ": ";
  if (!problem.starts_with(place)) return file.string() + " is damaged";
  // Without its remedy, which is another one for some files.
  const std::string what = problem.substr(place.size());
  return fmt::format("{} {},", file.string(), what.substr(0, what.find(';')));
}

std::vector<std::string> trial_names(const std::filesystem::path& store) {
  std::vector<std::string> names;
  for (const auto& entry : entries_of(store / "trials")) {
    if (is_below_a_trial(entry.path()) && entry.path().filename().native()[0] != '.')
      names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

std::string foreign_part(const std::filesystem::path& trial_folder) {
  std::string problem = store_folder_problem(trial_folder);
  if (!problem.empty()) return problem;
  if (is_forbidden(trial_folder, R_OK | X_OK)) return forbidden_text(trial_folder, "read");
  for (const auto& entry : entries_of(trial_folder)) {
    problem = part_problem(entry);
    if (!problem.empty()) break;
  }
  return problem;
}

std::string foreign_file(const std::filesystem::path& trial_folder) {
  for (const auto& part : entries_of(trial_folder)) {
    const std::string name = part.path().filename().string();
    if (!own_folders().count(name) && !name.starts_with(kAttemptPrefix)) continue;
    for (const auto& file : entries_of(part.path())) {
      std::error_code gone;
      if (!file.is_symlink(gone) && file.is_regular_file(gone)) continue;
      const std::string problem = store_file_problem(file.path());
      if (!problem.empty()) return problem;
    }
  }
  return "";
}

std::string unwritable_part(const std::filesystem::path& trial_folder) {
  constexpr int kFolder = R_OK | W_OK | X_OK;
  if (is_forbidden(trial_folder, kFolder)) return forbidden_text(trial_folder, "written");
  if (is_forbidden(trial_folder / "trial.json", R_OK))
    return forbidden_text(trial_folder / "trial.json", "read");
  if (is_forbidden(trial_folder / "lock", R_OK | W_OK))
    return forbidden_text(trial_folder / "lock", "written");
  std::vector<std::filesystem::path> folders = {trial_folder / "checkpoints",
                                                trial_folder / "artifacts"};
  for (const auto& [number, attempt] : attempt_folders(trial_folder)) {
    if (access((attempt / "end.json").c_str(), F_OK) != 0) folders.push_back(attempt);
  }
  for (const std::filesystem::path& folder : folders) {
    if (is_forbidden(folder, kFolder)) return forbidden_text(folder, "written");
  }
  return "";
}

std::string linked_part(const std::filesystem::path& trial_folder) {
  if (std::filesystem::is_symlink(trial_folder)) return store_folder_problem(trial_folder);
  for (const auto& entry : entries_of(trial_folder)) {
    if (!entry.is_symlink()) continue;
    const std::string problem = part_problem(entry);
    if (!problem.empty()) return problem;
  }
  return "";
}

}  // namespace rethink
