// Whether what a trial reads from outside the store is still what its identity says.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "experiments/attempt/job.h"

namespace rethink {

/// SHA-256 of imported weights, by content: of one file, or of a folder's *.safetensors with
/// config.json, tokenizer_config.json and vocab.txt (tokenizer.json where there is no vocab.txt),
/// and whether the tokenizer keeps case, where tokenizer_config.json does not say it. None where
/// there are no weights. `hash_of`: of one file.
std::optional<std::string> sha256_of_weights(
    const std::filesystem::path& path,
    const std::function<std::string(const std::filesystem::path&)>& hash_of);

/// Throws TrialError when a data file or imported weights have changed since the trial was planned:
/// its result would stand for good under the identity of others. Hashes are remembered in the
/// cache. Files that are not where the trial says are left to the job, which misses them itself.
void require_unchanged_files(const Trial& trial, const Runtime& runtime);

}  // namespace rethink
