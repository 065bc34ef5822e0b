// The inputs of a trial: results and files of its dependencies, data files and imported weights;
// and whether they still match the trial's identity.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "experiments/attempt/job.h"

namespace rethink {

struct Inputs {
  std::map<std::string, std::vector<Artifact>> artifacts;  // by slot, as JobContext::inputs
  std::map<std::string, std::vector<Json>> results;        // by slot, as JobContext::parents
};

/// Reads the results of everything `trial` needs. A select stands for its winner: of the trial's
/// seed, else of the only seed there is; for a trial without a seed, of all. Imported weights are
/// an artifact named after their slot. Throws TrialError when a need has no result, no such seed,
/// or an artifact's file is gone or has another size or SHA-256. Cost: reads these files once.
Inputs read_inputs(const Trial& trial, const std::filesystem::path& store);

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
