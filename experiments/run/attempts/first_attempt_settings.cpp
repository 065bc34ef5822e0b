#include "experiments/run/attempts/first_attempt_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "core/error.h"
#include "core/json.h"
#include "core/store_files/result_file.h"
#include "core/store_files/trial_folder.h"
#include "core/system/log.h"
#include "experiments/attempt/checkpoint_folder.h"
#include "experiments/run/slots.h"
#include "results/query/run_query.h"

namespace rethink {
namespace {

/// Returns the highest attempt number from which a resume can continue: the attempt of a result that was set aside, else
/// the largest number, since any attempt counts. Returns nothing if the trial starts from the beginning.
std::optional<int64_t> last_that_counts(const TrialFolder& folder) {
  if (const auto old = sound_result(folder.old_result())) return old->value("attempt", int64_t{0});
  if (checkpoints_in(folder.checkpoints()).empty()) return std::nullopt;
  return std::numeric_limits<int64_t>::max();
}

}  // namespace

std::map<std::string, FirstAttemptSettings> first_attempt_settings(
    Store& index, const std::filesystem::path& store, const std::set<std::string>& trials) {
  const QueryResult found = run_query(
      index,
      "SELECT trial, number, json_extract(facts, '$.threads'), json_extract(facts, "
      "'$.deterministic'), json_extract(facts, '$.device') FROM attempt WHERE resume_step = 0 "
      "ORDER BY trial, number DESC");
  const size_t cores = usable_cores().size();
  std::map<std::string, std::optional<int64_t>> last;
  std::map<std::string, FirstAttemptSettings> begun;
  for (const std::vector<Json>& row : found.rows) {
    const std::string id = row[0];
    if (!trials.count(id) || begun.count(id)) continue;
    const auto [counts, is_new] = last.try_emplace(id);
    if (is_new) counts->second = last_that_counts(TrialFolder(store, id));
    if (!counts->second || row[1] > *counts->second) continue;
    const std::string device = row[4].is_string() ? row[4].get<std::string>() : "cpu";
    if (!row[2].is_number_integer()) continue;
    begun[id] = {row[2], row[3] != 0, device};
  }
  std::erase_if(begun,
                [&](const auto& one) { return static_cast<size_t>(one.second.threads) > cores; });
  return begun;
}

std::string kept_settings(const FirstAttemptSettings& begun, const FirstAttemptSettings& wanted) {
  std::vector<std::string> kept;
  if (begun.threads != wanted.threads)
    kept.push_back(fmt::format("threads {}, not {}", begun.threads, wanted.threads));
  if (begun.deterministic != wanted.deterministic) {
    kept.push_back(
        fmt::format("deterministic {}, not {}", begun.deterministic, wanted.deterministic));
  }
  if (begun.device != wanted.device)
    kept.push_back(fmt::format("device {}, not {}", begun.device, wanted.device));
  return joined(kept);
}

void note_kept(std::vector<std::string> notes) {
  constexpr size_t kShown = 5;
  if (notes.empty()) return;
  const char* rest = notes.size() > kShown ? " and more" : "";
  notes.resize(std::min(notes.size(), kShown));
  log_warning("goes on as its first attempt ran, as anything else would give other bits: " +
              joined(notes) + rest);
}

}  // namespace rethink
