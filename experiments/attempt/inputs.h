// The inputs of a trial: results and files of its dependencies, data files and imported weights.
// Also checks that they still match the trial's identity.
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

/// Returns the results of all trials that `trial` needs. A select is replaced by its winner for the
/// trial's seed, else for the only seed; for a trial without a seed, by all winners. Imported
/// weights are an artifact with the name of their slot. Throws TrialError if a needed trial has no
/// result or lacks the seed, and if an artifact's file is missing or has another size or SHA-256.
/// Cost: reads these files once.
Inputs read_inputs(const Trial& trial, const std::filesystem::path& store);

/// Returns the SHA-256 of imported weights by content: of a file, or of a folder's *.safetensors
/// with config.json, tokenizer_config.json and vocab.txt (tokenizer.json without vocab.txt), and of
/// whether the tokenizer keeps case, if tokenizer_config.json does not say. Returns nothing without
/// weights. `hash_of` returns the hash of a file.
std::optional<std::string> sha256_of_weights(
    const std::filesystem::path& path,
    const std::function<std::string(const std::filesystem::path&)>& hash_of);

/// Throws TrialError if a data file or imported weights have changed since planning, since the
/// result would get the identity of other data. Hashes are cached. Missing files are left to the
/// job, which reports them itself.
void require_unchanged_files(const Trial& trial, const Runtime& runtime);

}  // namespace rethink
