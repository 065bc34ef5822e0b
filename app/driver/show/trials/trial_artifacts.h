// The artifacts of a trial, for commands that export or show them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/attempt/job.h"

namespace rethink {

/// Returns all artifacts in the trial's result. `store` is the store's folder. Throws ConfigError
/// if there is no result yet.
std::vector<Artifact> artifacts_of_trial(const std::filesystem::path& store, const std::string& id);

/// Throws ConfigError, with what to do, unless the file matches the result.
void require_intact(const Artifact& artifact, const std::filesystem::path& store);

/// Does the same for a file that a user names by its path, if it is a file of a trial with a
/// result.
void require_intact_if_recorded(const std::filesystem::path& file);

/// Throws ConfigError unless `folder` is missing or empty.
void require_new_folder(const std::filesystem::path& folder);

}  // namespace rethink
