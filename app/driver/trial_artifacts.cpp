#include "app/driver/trial_artifacts.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/hash.h"
#include "core/json.h"
#include "core/store_command.h"
#include "core/store_file.h"
#include "experiments/attempt/trial_folder.h"
#include "results/made_again.h"

namespace rethink {

namespace {

/// A select lists the files of the trials that it chose, which lie in their folders.
std::string owner_of(const Artifact& artifact, const std::filesystem::path& store) {
  const std::filesystem::path trials = (store / "trials").lexically_normal();
  return artifact.path.lexically_normal().lexically_relative(trials).begin()->string();
}

}  // namespace

std::vector<Artifact> artifacts_of_trial(const std::filesystem::path& store,
                                         const std::string& id) {
  const TrialFolder folder(store, id);
  const std::optional<Json> result = read_result(folder);
  if (result) return artifacts_of(*result, folder);
  throw ConfigError(fmt::format("trial {} has no result yet: `{}` and `{}` say more", id,
                                store_command("status", store),
                                store_command("logs " + id, store)));
}

void require_intact(const Artifact& artifact, const std::filesystem::path& store) {
  const bool is_there = std::filesystem::is_regular_file(artifact.path);
  const std::string problem = store_file_problem(artifact.path);
  if (!problem.empty()) throw ConfigError(problem);
  if (is_there && sha256_file(artifact.path) == artifact.sha256) return;
  throw ConfigError(fmt::format("{} {}; {}", artifact.path.string(),
                                is_there ? "is damaged" : "is gone",
                                made_again(store, owner_of(artifact, store))));
}

void require_new_folder(const std::filesystem::path& folder) {
  const bool is_empty = std::filesystem::is_directory(folder) && std::filesystem::is_empty(folder);
  if (std::filesystem::exists(folder) && !is_empty)
    throw ConfigError(folder.string() + " is there already; name a new folder");
}

}  // namespace rethink
