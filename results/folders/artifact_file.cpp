#include "results/folders/artifact_file.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/files/hash.h"
#include "core/files/store_file.h"
#include "core/message.h"
#include "core/store_files/trial_folder.h"
#include "results/folders/outside_scores.h"
#include "results/folders/stored_trial.h"

namespace rethink {
namespace {

/// A select lists the files of the trials that it chose, which are in the folders of these trials.
std::string owner_of(const std::filesystem::path& file, const std::filesystem::path& store) {
  const std::filesystem::path trials = trials_folder(store).lexically_normal();
  return file.lexically_normal().lexically_relative(trials).begin()->string();
}

}  // namespace

const std::filesystem::path& ArtifactFile::intact() const {
  if (!problem.empty()) throw ConfigError("damaged-file", problem);
  return path;
}

std::string artifact_damage(const std::filesystem::path& file, const std::string& sha256) {
  if (std::string problem = store_file_problem(file); !problem.empty()) return problem;
  if (!std::filesystem::exists(file)) return file.string() + " is missing";
  return sha256_file(file) == sha256 ? "" : file.string() + " is damaged";
}

std::string artifact_problem(const std::filesystem::path& store, const std::filesystem::path& file,
                             const std::string& sha256) {
  const std::string damage = artifact_damage(file, sha256);
  if (damage.empty() || !store_file_problem(file).empty()) return damage;
  return fmt::format("{}; {}", damage, how_to_restore(store, owner_of(file, store)));
}

std::string without_folder(std::string text, const std::filesystem::path& folder) {
  const std::string path = folder.string() + "/";
  for (size_t at = text.find(path); at != std::string::npos; at = text.find(path))
    text.erase(at, path.size());
  return text;
}

std::string how_to_restore(const std::filesystem::path& store, const std::string& trial) {
  const bool has_scores = has_outside_scores(trial_folder(store, trial));
  return fmt::format("to restore it: {}, then run its sweep{}", store_command("rm " + trial, store),
                     has_scores ? ", then import its scores again, which rm removes" : "");
}

}  // namespace rethink
