#include "app/driver/score/trial_options.h"

#include <fmt/format.h>

#include <set>

#include "core/json.h"
#include "experiments/plan/read/overlay.h"
#include "results/database/schema.h"
#include "results/query/run_query.h"

namespace rethink {

TrialOptions OptionsReader::of(const std::string& trial) {
  TrialOptions all = own_of(trial);
  std::vector<std::string> open = needs_of(trial);
  std::set<std::string> seen;
  while (!open.empty()) {
    const std::string parent = open.back();
    open.pop_back();
    if (!seen.insert(parent).second) continue;
    const auto stage = stages_.find(parent);
    if (stage != stages_.end()) {
      for (const auto& [key, value] : own_of(parent))
        all.try_emplace(stage->second + "." + key, value);
    }
    for (const std::string& need : needs_of(parent)) open.push_back(need);
  }
  return all;
}

const TrialOptions& OptionsReader::own_of(const std::string& trial) {
  const auto [found, is_new] = read_.try_emplace(trial);
  const std::optional<TrialRow> row = is_new ? store_.trial(trial) : std::nullopt;
  if (row) {
    each_leaf(row->config, [&](const std::string& key, const Json& value) {
      found->second.emplace(key, recorded_value(value));
    });
  }
  return found->second;
}

std::vector<std::string> OptionsReader::needs_of(const std::string& trial) {
  const QueryResult rows = run_query(
      store_, fmt::format("SELECT need FROM trial_need WHERE trial = {} ORDER BY slot, position",
                          sql_text(trial)));
  std::vector<std::string> needs;
  for (const std::vector<Json>& row : rows.rows) needs.push_back(row.at(0));
  return needs;
}

}  // namespace rethink
