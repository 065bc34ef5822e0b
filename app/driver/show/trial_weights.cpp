#include "app/driver/show/trial_weights.h"

#include <fmt/format.h>

#include "app/driver/show/trial_artifacts.h"
#include "core/error.h"
#include "experiments/run/sweep_run.h"
#include "results/query/trial_records.h"
#include "results/store/store.h"

namespace rethink {
namespace {

/// The trials that a select chose; none of another job's trial.
std::vector<std::string> winners_of(const std::filesystem::path& folder, const std::string& id) {
  Store store(folder, Store::Access::read);
  return read_trial_records(store, folder, {id}, {})[id].winners;
}

}  // namespace

std::map<std::string, Artifact> weights_of_trial(const std::filesystem::path& store,
                                                 const std::string& id) {
  std::map<std::string, Artifact> files;
  const std::vector<std::string> chosen = winners_of(store, id);
  for (const Artifact& artifact : artifacts_of_trial(store, id)) {
    // A select has the files of all its winners, each name once for every seed.
    if (artifact.kind == kWeights && chosen.size() <= 1)
      files[artifact.path.filename()] = artifact;
  }
  if (files.empty()) {
    throw ConfigError(fmt::format(
        "trial {} {}", id,
        chosen.empty() ? "kept no weights: write `keep: weights` in its stage and run the sweep "
                         "again, which makes them again, to the same bits"
                       : "chooses among others; give one that it chose: " + joined(chosen)));
  }
  return files;
}

std::vector<std::string> data_words(const CommandContext& context) {
  std::vector<std::string> words = {"--cache", usable_cache_folder(context.store).string()};
  if (!context.data.empty()) words.insert(words.end(), {"--data", context.data.string()});
  return words;
}

}  // namespace rethink
