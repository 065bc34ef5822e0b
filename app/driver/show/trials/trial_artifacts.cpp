#include "app/driver/show/trials/trial_artifacts.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/json.h"
#include "core/message.h"
#include "core/store_files/result_file.h"
#include "core/store_files/trial_folder.h"
#include "experiments/attempt/trial_files.h"
#include "results/folders/artifact_file.h"

namespace rethink {

std::vector<Artifact> artifacts_of_trial(const std::filesystem::path& store,
                                         const std::string& id) {
  const TrialFolder folder(store, id);
  const std::optional<Json> result = read_result(folder);
  if (result) return artifacts_of(*result, folder);
  throw ConfigError(
      "missing-result",
      fmt::format("trial {} has no result yet: `{}` and `{}` say more", id,
                  store_command("status", store), store_command("logs " + id, store)));
}

void require_intact(const Artifact& artifact, const std::filesystem::path& store) {
  const std::string problem = artifact_problem(store, artifact.path, artifact.sha256);
  if (!problem.empty()) throw ConfigError("damaged-file", problem);
}

void require_intact_if_recorded(const std::filesystem::path& file) {
  const std::filesystem::path whole = std::filesystem::absolute(file).lexically_normal();
  std::filesystem::path trial = whole;
  while (trial.has_relative_path() && trial.parent_path().filename() != kTrialsFolder)
    trial = trial.parent_path();
  if (!trial.has_relative_path()) return;
  const TrialFolder folder(trial);
  const std::optional<Json> result = sound_result(folder.result());
  if (!result) return;
  for (const Artifact& artifact : artifacts_of(*result, folder)) {
    if (artifact.path.lexically_normal() == whole)
      require_intact(artifact, trial.parent_path().parent_path());
  }
}

void require_new_folder(const std::filesystem::path& folder) {
  const bool is_empty = std::filesystem::is_directory(folder) && std::filesystem::is_empty(folder);
  if (std::filesystem::exists(folder) && !is_empty)
    throw ConfigError("file-exists", folder.string() + " is there already; name a new folder");
}

}  // namespace rethink
