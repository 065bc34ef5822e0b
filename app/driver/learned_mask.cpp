#include "app/driver/learned_mask.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/error.h"
#include "core/hash.h"
#include "experiments/attempt/trial_folder.h"
#include "results/query.h"

namespace rethink {
namespace {

constexpr size_t kShortestId = 4;  // shorter words of hex digits are words

bool is_like_an_id(const std::string& word) {
  return word.size() >= kShortestId &&
         word.find_first_not_of("0123456789abcdef") == std::string::npos;
}

Artifact mask_of_trial(const CommandContext& context, const std::string& id) {
  const TrialFolder folder(context.store, id);
  const std::optional<Json> result = read_result(folder);
  if (!result) {
    throw ConfigError(fmt::format(
        "trial {} has no result yet: `rethink status` and `rethink logs {}` say more", id, id));
  }
  for (const Artifact& artifact : artifacts_of(*result, folder)) {
    if (artifact.kind == "mask") return artifact;
  }
  throw ConfigError(
      fmt::format("trial {} left no mask: those of job mask do, and pretrainings with attention "
                  "dam, masked or given_mask",
                  id));
}

LearnedMask read_mask_of_trial(const CommandContext& context, const std::string& beginning) {
  if (std::filesystem::is_regular_file(context.store)) {
    throw ConfigError(
        fmt::format("--store: {} is a snapshot, without the trials' files; give the "
                    "store's folder",
                    context.store.string()));
  }
  Store store(context.store, Store::Access::read);
  const std::string id = trial_with_prefix(store, beginning);
  const Artifact artifact = mask_of_trial(context, id);
  const bool is_there = std::filesystem::is_regular_file(artifact.path);
  if (!is_there || sha256_file(artifact.path) != artifact.sha256) {
    throw ConfigError(fmt::format("{} {}; `rethink retry {}`, then `rethink run` makes it again",
                                  artifact.path.string(), is_there ? "is damaged" : "is gone", id));
  }
  return {read_mask(artifact.path), id, "trial " + id};
}

}  // namespace

std::optional<LearnedMask> find_learned_mask(const CommandContext& context,
                                             const std::string& word) {
  const std::vector<std::string> patterns = masks().names();
  if (std::find(patterns.begin(), patterns.end(), word) != patterns.end()) return std::nullopt;
  const std::filesystem::path file = word;
  if (std::filesystem::is_regular_file(file))
    return LearnedMask{read_mask(file), file.stem(), file.filename()};
  if (!is_like_an_id(word)) return std::nullopt;
  return read_mask_of_trial(context, word);
}

}  // namespace rethink
