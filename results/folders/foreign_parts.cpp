#include "results/folders/foreign_parts.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

#include "core/files/owner.h"
#include "core/files/store_file.h"
#include "core/json.h"
#include "core/store_files/result_file.h"
#include "core/store_files/trial_folder.h"
#include "results/folders/outside_scores.h"

namespace rethink {
namespace {

const std::set<std::string>& own_folders() {
  static const std::set<std::string> names = {kCheckpointsFolder, kArtifactsFolder,
                                              kRepetitionFolder};
  return names;
}

const std::set<std::string>& own_files() {
  static const std::set<std::string> names = {kTrialFile,     kTrialLock, kResultFile,
                                              kOldResultFile, kStateFile, kScoresFile};
  return names;
}

/// Asks the system only about unusual files, since a run checks every trial.
std::string part_problem(const std::filesystem::directory_entry& part) {
  const std::string name = part.path().filename().string();
  std::error_code gone;
  const bool is_link = part.is_symlink(gone);
  if (own_folders().count(name) || name.starts_with(kAttemptPrefix))
    return is_link || !part.is_directory(gone) ? store_folder_problem(part.path()) : "";
  if (!own_files().count(name)) return "";
  return is_link || !part.is_regular_file(gone) ? store_file_problem(part.path()) : "";
}

/// Whether we cannot use `path` in this way only because the user lacks rights.
bool is_forbidden(const std::filesystem::path& path, int use) {
  return access(path.c_str(), use) != 0 && errno == EACCES;
}

/// Whether rethink uses the name of a file in this part of a trial's folder.
bool is_own_file(const std::filesystem::path& file) {
  static const std::set<std::string> of_attempts = {kEventsFile, kEndFile, kLogFile, kErrorsFile};
  const std::filesystem::path part = file.parent_path();
  const std::string name = file.filename().string(), folder = part.filename().string();
  if (folder.starts_with(kAttemptPrefix)) return of_attempts.count(name) > 0;
  const auto result = folder == kArtifactsFolder ? sound_result(part.parent_path() / kResultFile)
                                                 : std::optional<Json>();
  if (!result) return true;
  return std::ranges::any_of(result->at("artifacts"), [&](const Json& artifact) {
    return artifact.at("file") == folder + "/" + name;
  });
}

/// A folder that an attempt of a user's program makes (experiments/attempt/command/program_trial.h): the files of a
/// checkpoint, its copy of the code, its scratch folder.
bool is_folder_of_program(const std::filesystem::directory_entry& entry) {
  std::error_code gone;
  if (entry.is_symlink(gone) || !entry.is_directory(gone)) return false;
  const std::string name = entry.path().filename(), part = entry.path().parent_path().filename();
  return part == kCheckpointsFolder ? name.starts_with("files-")
                                    : part.starts_with(kAttemptPrefix) &&
                                          (name == kProgramCode || name == kProgramScratch);
}

/// The first entry within the trial's folders that is not a file and that `is_meant` selects.
template <typename Test>
std::filesystem::path first_odd_file(const std::filesystem::path& trial_folder,
                                     const Test& is_meant) {
  for (const auto& part : entries_of(trial_folder)) {
    const std::string name = part.path().filename().string();
    if (!own_folders().count(name) && !name.starts_with(kAttemptPrefix)) continue;
    if (is_forbidden(part.path(), R_OK | X_OK)) continue;
    for (const auto& file : entries_of(part.path())) {
      std::error_code gone;
      if (!file.is_symlink(gone) && file.is_regular_file(gone)) continue;
      if (is_folder_of_program(file)) continue;
      if (is_meant(file.path()) && !store_file_problem(file.path()).empty()) return file.path();
    }
  }
  return {};
}

std::string forbidden_text(const std::filesystem::path& path, const char* use) {
  return fmt::format("{}: may not be {}: {}{}", path.string(), use, std::strerror(EACCES),
                     refusal_text(path, EACCES));
}

/// Names the trial's folder, its result or its artifacts, which a run reads, if they may not be
/// read.
std::string forbidden_to_read(const std::filesystem::path& trial_folder) {
  if (is_forbidden(trial_folder, R_OK | X_OK)) return forbidden_text(trial_folder, "read");
  if (is_forbidden(trial_folder / kResultFile, R_OK))
    return forbidden_text(trial_folder / kResultFile, "read");
  if (is_forbidden(trial_folder / kArtifactsFolder, R_OK | X_OK))
    return forbidden_text(trial_folder / kArtifactsFolder, "read");
  return "";
}

}  // namespace

std::string damaged_file_text(const std::filesystem::path& file) {
  const std::string problem = store_file_problem(file), place = file.string() + ": ";
  if (!problem.starts_with(place)) return file.string() + " is damaged";
  // Without the advice, which differs for some files.
  const std::string what = problem.substr(place.size());
  return fmt::format("{} {},", file.string(), what.substr(0, what.find(';')));
}

std::vector<std::string> trial_names(const std::filesystem::path& store) {
  std::vector<std::string> names;
  for (const auto& entry : entries_of(trials_folder(store))) {
    if (is_below_a_trial(entry.path()) && entry.path().filename().native()[0] != '.')
      names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

bool is_unreadable(const std::filesystem::path& trial_folder) {
  return !forbidden_to_read(trial_folder).empty();
}

std::string foreign_part(const std::filesystem::path& trial_folder) {
  std::string problem = store_folder_problem(trial_folder);
  if (!problem.empty()) return problem;
  problem = forbidden_to_read(trial_folder);
  if (!problem.empty()) return problem;
  for (const auto& entry : entries_of(trial_folder)) {
    problem = part_problem(entry);
    if (!problem.empty()) break;
  }
  return problem;
}

std::string foreign_file(const std::filesystem::path& trial_folder) {
  const std::filesystem::path file = first_odd_file(trial_folder, is_own_file);
  return file.empty() ? "" : store_file_problem(file);
}

std::string stray_file(const std::filesystem::path& trial_folder) {
  const std::filesystem::path file =
      first_odd_file(trial_folder, [](const auto& path) { return !is_own_file(path); });
  if (file.empty()) return "";
  return fmt::format("{}: is none of rethink's files, and no command reads or follows it",
                     file.string());
}

std::string unreadable_part(const std::filesystem::path& trial_folder) {
  if (is_forbidden(trial_folder, R_OK | X_OK)) return forbidden_text(trial_folder, "read");
  for (const auto& part : entries_of(trial_folder)) {
    const std::string name = part.path().filename().string();
    const bool is_attempt = name.starts_with(kAttemptPrefix);
    if (!is_attempt && (name == kTrialLock || !own_files().count(name))) continue;
    if (is_forbidden(part.path(), is_attempt ? R_OK | X_OK : R_OK))
      return forbidden_text(part.path(), "read");
    if (!is_attempt) continue;
    for (const char* file : {kEventsFile, kEndFile}) {
      if (is_forbidden(part.path() / file, R_OK)) return forbidden_text(part.path() / file, "read");
    }
  }
  return "";
}

std::string unusable_part(const std::filesystem::path& trial_folder) {
  std::string problem = foreign_part(trial_folder);
  if (problem.empty()) problem = unreadable_part(trial_folder);
  if (!problem.empty()) return problem;
  std::vector<std::filesystem::path> files = {trial_folder / kTrialLock};
  for (const auto& file : entries_of(trial_folder / kArtifactsFolder)) files.push_back(file.path());
  for (const std::filesystem::path& file : files) {
    if (is_forbidden(file, R_OK)) return forbidden_text(file, "read");
  }
  return "";
}

std::string unwritable_part(const std::filesystem::path& trial_folder) {
  constexpr int kFolder = R_OK | W_OK | X_OK;
  if (is_forbidden(trial_folder, kFolder)) return forbidden_text(trial_folder, "written");
  if (is_forbidden(trial_folder / kTrialFile, R_OK))
    return forbidden_text(trial_folder / kTrialFile, "read");
  if (is_forbidden(trial_folder / kTrialLock, R_OK | W_OK))
    return forbidden_text(trial_folder / kTrialLock, "written");
  std::vector<std::filesystem::path> folders = {trial_folder / kCheckpointsFolder,
                                                trial_folder / kArtifactsFolder,
                                                trial_folder / kRepetitionFolder};
  for (const auto& [number, attempt] : attempt_folders(trial_folder)) {
    if (access((attempt / kEndFile).c_str(), F_OK) != 0) folders.push_back(attempt);
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
