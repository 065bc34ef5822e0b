#include "experiments/attempt/inputs.h"

#include <fmt/format.h>

#include "core/config/schema.h"
#include "core/format/result_events.h"
#include "core/format/result_file.h"
#include "core/json.h"
#include "core/system/hash.h"
#include "core/system/store_file.h"

namespace rethink {
namespace {

constexpr const char* kTrials = "trials";  // the kind of an input that is results, not files

/// What helps, in words: the text is recorded (core/store_command.h).
std::string made_with(const std::string& reader, const std::string& needed) {
  return fmt::format("retry trial {} and run its sweep again, which makes trial {} again, too",
                     reader, needed);
}

/// `reader` needs it.
Json result_of(const std::string& id, const Trial& reader, const std::filesystem::path& store) {
  const TrialFolder folder(store, id);
  const auto result = result_as_written(folder.result());
  if (!result) throw TrialError(fmt::format("the trial {} that this one needs has no result", id));
  if (!result->is_sound()) {
    throw TrialError(fmt::format("needs trial {}: {} is damaged ({}); {}", id,
                                 folder.result().string(), result->damage,
                                 made_with(reader.id, id)));
  }
  return result->object;
}

/// The results that one need stands for.
std::vector<Json> resolve(const std::string& id, const Trial& trial,
                          const std::filesystem::path& store) {
  const Json result = result_of(id, trial, store);
  if (!result.contains("selected")) return {result};
  const std::vector<std::string> chosen = winners(result, trial.seed);
  if (chosen.empty()) {
    throw TrialError(fmt::format("the winner of select {} has no seed {}; its seeds: {}", id,
                                 *trial.seed, result.at("selected").at("seeds").dump()));
  }
  std::vector<Json> all;
  for (const std::string& winner : chosen) {
    all.push_back(result_of(winner, trial, store));
    all.back()["via"] = id;
  }
  return all;
}

/// Requires its bytes, too: a result from other weights than its record names would look like any.
void require_file(const Artifact& artifact, const std::string& from, const Trial& reader) {
  const auto refuse = [&](const std::string& what) {
    throw TrialError(fmt::format("{} of trial {}, which this one reads: the file {}: {}; {}",
                                 artifact.name, from, what, artifact.path.string(),
                                 made_with(reader.id, from)));
  };
  const std::string problem = store_file_problem(artifact.path);
  if (!problem.empty()) throw TrialError(problem);
  std::error_code missing;
  const uint64_t bytes = std::filesystem::file_size(artifact.path, missing);
  if (missing) refuse("is gone");
  if (bytes != artifact.bytes)
    refuse(fmt::format("is damaged ({} bytes, expected {})", bytes, artifact.bytes));
  if (sha256_file(artifact.path) != artifact.sha256)
    refuse("is damaged (its SHA-256 is not the recorded one)");
}

Artifact imported(const Trial& trial, const std::string& slot, const std::string& sha256) {
  const auto path = trial.imported_paths.find(slot);
  if (path == trial.imported_paths.end())
    throw TrialError("trial.json does not say where '" + slot + "' is");
  Artifact artifact;
  artifact.name = slot;
  artifact.kind = jobs().schema(trial.job).facts.at("inputs").at(slot);
  artifact.path = path->second;
  artifact.sha256 = sha256;
  return artifact;
}

}  // namespace

Inputs read_inputs(const Trial& trial, const std::filesystem::path& store) {
  Inputs inputs;
  for (const auto& [slot, ids] : trial.needs) {
    const std::string kind = jobs().schema(trial.job).facts.at("inputs").at(slot);
    for (const std::string& id : ids) {
      for (Json& result : resolve(id, trial, store)) {
        const std::string from = result.at("trial");
        bool found =
            kind == kTrials;  // a trial that only compares its needs reads none of their files
        for (Artifact& artifact : artifacts_of(result, TrialFolder(store, from))) {
          if (artifact.kind != kind) continue;
          require_file(artifact, from, trial);
          inputs.artifacts[slot].push_back(std::move(artifact));
          found = true;
        }
        if (!found) {
          throw TrialError(fmt::format("trial {} left no {} for '{}'; {}", from, kind, slot,
                                       made_with(trial.id, from)));
        }
        inputs.results[slot].push_back(std::move(result));
      }
    }
  }
  for (const auto& [slot, sha256] : trial.imported)
    inputs.artifacts[slot].push_back(imported(trial, slot, sha256));
  return inputs;
}

}  // namespace rethink
