// What the functions of a short query take together, and what they leave out.
#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include "core/json.h"
#include "results/query.h"
#include "results/settings.h"
#include "results/short_query.h"

namespace rethink {
namespace {

std::string grouped_by(const std::string& groups) {
  return groups.empty() ? "" : " GROUP BY " + groups;
}

}  // namespace

std::vector<PooledKey> pooled_keys(Store& store, const ShortQuery& query) {
  const ShortQuerySql sql(store, query);
  if (sql.has_value().empty()) return {};
  const std::vector<Setting> keys = settings_of_trials(store);
  std::string columns, counts, most;
  for (size_t i = 0; i < keys.size(); ++i) {
    columns += fmt::format(", {} AS k{}", keys[i].sql, i);
    counts += fmt::format("{}count(DISTINCT ifnull(c.k{}, '')) AS k{}", i ? ", " : "", i, i);
    most += fmt::format("{}max(k{})", i ? ", " : "", i);
  }
  const QueryResult found =
      run_query(store, fmt::format("{}SELECT {} FROM (SELECT {} FROM chosen c WHERE {}{})",
                                   sql.chosen(columns), most, counts, sql.has_value(),
                                   grouped_by(sql.groups())));
  std::vector<PooledKey> pooled;
  for (size_t i = 0; i < keys.size(); ++i) {
    const Json& values = found.rows.at(0).at(i);
    if (values.is_number() && values.get<int64_t>() > 1)
      pooled.push_back({keys[i].name, values.get<int64_t>()});
  }
  return pooled;
}

TrialCounts unfinished_trials(Store& store, const ShortQuery& query) {
  const ShortQuerySql sql(store, query);
  if (sql.has_metric().empty()) return {};
  // A trial that failed early or waits has no value, but would have one as others of its job do.
  SQLite::Statement rows(
      store.database(),
      fmt::format("{}SELECT c._state, count(DISTINCT c.trial) FROM chosen c WHERE c._state NOT IN "
                  "('done', 'diverged') AND c._job IN (SELECT c._job FROM chosen c WHERE {}) GROUP "
                  "BY 1",
                  sql.chosen(), sql.has_metric()));
  TrialCounts counts;
  while (rows.executeStep()) counts[rows.getColumn(0)] = rows.getColumn(1).getInt64();
  return counts;
}

std::vector<std::string> mixed_profiles(Store& store, const ShortQuery& query) {
  const ShortQuerySql sql(store, query);
  if (sql.has_value().empty()) return {};
  return all_names(
      store,
      fmt::format(
          "{}, valued AS (SELECT DISTINCT c.trial, json_array({}) AS g FROM chosen c "
          "WHERE {}), shares AS (SELECT g, profile, count(DISTINCT v.trial) AS n FROM valued "
          "v JOIN sweep_trial USING (trial) GROUP BY g, profile), "
          "wholes AS (SELECT g, count(*) AS whole FROM valued GROUP BY g), "
          "parts AS (SELECT g, max(n) AS part FROM shares GROUP BY g) "
          "SELECT DISTINCT profile FROM shares JOIN wholes USING (g) JOIN parts USING "
          "(g) WHERE part < whole",
          sql.chosen(), sql.groups(), sql.has_value()));
}

}  // namespace rethink
