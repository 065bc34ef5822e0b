#include "app/driver/show/trials/trial_weights.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/driver/show/trials/trial_artifacts.h"
#include "core/config/schema.h"
#include "core/error.h"
#include "core/facts/job_facts.h"
#include "core/json.h"
#include "experiments/run/sweep_run.h"
#include "results/folders/stored_trial.h"
#include "results/records/trial_records.h"
#include "results/store/store.h"

namespace rethink {
namespace {

/// The trials that a select chose; empty for a trial of another job.
std::vector<std::string> winners_of(const std::filesystem::path& folder, const std::string& id) {
  Store store(folder, Store::Access::read);
  return read_trial_records(store, folder, {id}, {})[id].winners;
}

std::string why_without_weights(const CommandContext& context, const std::string& id) {
  const std::string job = required_trial(trial_folder(context.store, id)).at("job");
  const PluginSchema* const known = context.schema().find("job", job);
  const bool may_keep =
      !known || (!known->facts.as<JobFacts>().runs_program &&
                 std::ranges::count(known->facts.as<JobFacts>().outputs, kWeights) > 0);
  return may_keep ? "kept no weights: write `keep: weights` in its stage and run the sweep again, "
                    "which makes "
                    "them again, to the same bits"
                  : fmt::format("has no model of ours: it is of job {}", job);
}

}  // namespace

std::map<std::string, Artifact> weights_of_trial(const CommandContext& context,
                                                 const std::string& id) {
  std::map<std::string, Artifact> files;
  const std::vector<std::string> chosen = winners_of(context.store, id);
  for (const Artifact& artifact : artifacts_of_trial(context.store, id)) {
    // A select has the files of all its winners, each name once per seed.
    if (artifact.kind == kWeights && chosen.size() <= 1) files[artifact.path.filename()] = artifact;
  }
  if (!files.empty()) return files;
  throw ConfigError(
      "artifact-missing",
      fmt::format("trial {} {}", id,
                  chosen.empty() ? why_without_weights(context, id)
                                 : "is a select, which trains nothing; give one of its winners: " +
                                       joined(chosen)));
}

std::vector<std::string> data_words(const CommandContext& context) {
  std::vector<std::string> words = {"--cache", usable_cache_folder(context.store).string()};
  if (!context.data.empty()) words.insert(words.end(), {"--data", context.data.string()});
  return words;
}

}  // namespace rethink
