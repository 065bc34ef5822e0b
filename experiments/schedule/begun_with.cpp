#include "experiments/schedule/begun_with.h"

#include <fmt/format.h>

#include "core/error.h"
#include "experiments/attempt/checkpoint_folder.h"
#include "experiments/attempt/trial_folder.h"
#include "experiments/schedule/slots.h"
#include "results/query.h"

namespace rethink {

std::map<std::string, BegunWith> begun_with(Store& index, const std::filesystem::path& store) {
  const QueryResult found =
      run_query(index,
                "SELECT a.trial, json_extract(a.facts, '$.threads'), "
                "json_extract(a.facts, '$.deterministic'), max(a.number) FROM attempt a "
                "JOIN trial t ON t.id = a.trial WHERE a.resume_step = 0 AND t.state NOT IN "
                "('done', 'diverged') GROUP BY a.trial");
  const size_t cores = usable_cores().size();
  std::map<std::string, BegunWith> begun;
  for (const std::vector<Json>& row : found.rows) {
    const std::string id = row[0];
    if (!row[1].is_number_integer() || row[1].get<size_t>() > cores) continue;
    if (checkpoints_in(TrialFolder(store, id).checkpoints()).empty()) continue;
    begun[id] = {row[1], row[2] != 0};
  }
  return begun;
}

std::string kept_of(const BegunWith& begun, const StageResources& wanted) {
  std::vector<std::string> kept;
  if (begun.threads != wanted.threads)
    kept.push_back(fmt::format("threads {}, not {}", begun.threads, wanted.threads));
  if (begun.deterministic != wanted.deterministic) {
    kept.push_back(
        fmt::format("deterministic {}, not {}", begun.deterministic, wanted.deterministic));
  }
  return joined(kept);
}

}  // namespace rethink
