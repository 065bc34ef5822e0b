#include "app/driver/commands/learned_mask.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/driver/show/trial_artifacts.h"
#include "core/error.h"
#include "core/json.h"
#include "core/store_command.h"
#include "experiments/attempt/trial_folder.h"
#include "results/database/database_place.h"
#include "results/database/schema.h"
#include "results/query/run_query.h"
#include "results/query/trial_records.h"

namespace rethink {
namespace {

constexpr size_t kShortestId = 4;  // shorter words of hex digits are words

bool is_like_an_id(const std::string& word) {
  return word.size() >= kShortestId &&
         word.find_first_not_of("0123456789abcdef") == std::string::npos;
}

std::optional<Artifact> mask_among(const std::vector<Artifact>& artifacts) {
  const auto found = std::ranges::find(artifacts, "mask", &Artifact::kind);
  if (found == artifacts.end()) return std::nullopt;
  return *found;
}

bool left_mask(const std::filesystem::path& store, const std::string& id) {
  const TrialFolder folder(store, id);
  const std::optional<Json> result = read_result(folder);
  return result && mask_among(artifacts_of(*result, folder));
}

/// "; it goes on from trial 0a1b..., which did: `rethink mask 0a1b...`" of the nearest one.
std::string nearest_with_mask(const std::filesystem::path& folder, Store& store,
                              const std::string& id) {
  const QueryResult above = run_query(
      store, fmt::format("WITH RECURSIVE above(id, steps) AS (SELECT need, 1 FROM trial_need WHERE "
                         "trial = {} UNION SELECT n.need, steps + 1 FROM trial_need n JOIN above "
                         "ON n.trial = above.id) SELECT id FROM above ORDER BY steps",
                         sql_text(id)));
  for (const std::vector<Json>& row : above.rows) {
    const std::string near = row[0];
    if (left_mask(folder, near)) {
      return fmt::format("; it goes on from trial {}, which did: `{}`", near,
                         store_command("mask " + near, folder));
    }
  }
  return "";
}

Artifact mask_of_trial(const CommandContext& context, Store& store, const std::string& id) {
  const std::vector<Artifact> artifacts = artifacts_of_trial(context.store, id);
  if (std::ranges::count(artifacts, "mask", &Artifact::kind) > 1) {
    throw ConfigError(fmt::format(
        "trial {} chooses among others and has a mask for each seed; give one that it chose: {}",
        id, joined(read_trial_records(store, context.store, {id}, {})[id].winners)));
  }
  const std::optional<Artifact> mask = mask_among(artifacts);
  if (mask) return *mask;
  throw ConfigError(
      fmt::format("trial {} left no mask: those of job mask do, and pretrainings with attention "
                  "dam, masked or given_mask{}",
                  id, nearest_with_mask(context.store, store, id)));
}

LearnedMask read_mask_of_trial(const CommandContext& context, const std::string& beginning) {
  if (std::filesystem::is_regular_file(context.store)) {
    throw ConfigError(
        fmt::format("--store: {} is a snapshot, without the trials' files; give the "
                    "store's folder",
                    context.store.string()));
  }
  if (!is_store(context.store)) {
    throw ConfigError(fmt::format(
        "'{}' is no mask's kind and no file, and for a trial's id there is no store in {}; "
        "give --store DIR",
        beginning, context.store.string()));
  }
  Store store(context.store, Store::Access::read);
  const std::string id = trial_with_prefix(store, beginning);
  const Artifact artifact = mask_of_trial(context, store, id);
  require_intact(artifact, context.store);
  return {read_mask(artifact.path), id, "trial " + id};
}

}  // namespace

std::optional<LearnedMask> find_learned_mask(const CommandContext& context,
                                             const std::string& word) {
  const std::vector<std::string> patterns = masks().names();
  if (std::find(patterns.begin(), patterns.end(), word) != patterns.end()) return std::nullopt;
  const std::filesystem::path file = word;
  if (std::filesystem::is_regular_file(file)) {
    require_intact_if_recorded(file);
    return LearnedMask{read_mask(file), file.stem(), file.filename()};
  }
  if (!is_like_an_id(word)) return std::nullopt;
  return read_mask_of_trial(context, word);
}

}  // namespace rethink
