#include "results/query/curves.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <map>

#include "core/error.h"
#include "core/json.h"
#include "results/database/sql_expressions.h"
#include "results/database/statement.h"
#include "results/query/chosen_trials.h"
#include "results/query/recorded_names.h"
#include "results/query/run_query.h"

namespace rethink {
namespace {

/// The values of a group, from column `first` on.
std::vector<Json> group_in(const std::vector<Json>& row, ptrdiff_t first) {
  return std::vector<Json>(row.begin() + first, row.end());
}

/// Numbers with every digit that parts them.
std::string label_of(const std::vector<Json>& group) {
  std::vector<std::string> values;
  for (const Json& value : group) {
    values.push_back(value.is_string()         ? value.get<std::string>()
                     : value.is_number_float() ? fmt::format("{}", value.get<double>())
                                               : value.dump());
  }
  return joined(values);
}

/// SQL: the rows `m` of table metric of row `c` of `chosen`.
std::string rows_of_metric(Store& store, const std::string& metric) {
  const auto named = named_metric(metric);
  if (!named) throw ConfigError(fmt::format("expected a metric as SPLIT/NAME, got '{}'", metric));
  required_metric(store, metric, *named);
  return fmt::format("m.trial = c.trial AND m.split = {} AND m.name = {}", sql_text(named->split),
                     sql_text(named->name));
}

/// "drawn": the trials with a value; `_has_done`: whether a trial of the same curve is done.
std::string drawn_trials(const ChosenTrials& chosen, const std::string& metric_sql) {
  const std::string groups = chosen.groups();
  return fmt::format(
      "{}, valued AS (SELECT * FROM chosen c WHERE EXISTS(SELECT 1 FROM metric m WHERE {})), "
      "drawn AS (SELECT *, max(_state = 'done') OVER ({}) AS _has_done FROM valued c)\n",
      chosen.sql(), metric_sql, groups.empty() ? "" : "PARTITION BY " + groups);
}

}  // namespace

std::vector<Curve> curves(Store& store, const std::string& metric, const std::string& where,
                          const std::vector<std::string>& by) {
  const std::string metric_sql = rows_of_metric(store, metric) + " AND m.value IS NOT NULL";
  const ChosenTrials chosen(store, where, by);
  const std::string drawn = drawn_trials(chosen, metric_sql);
  const std::string groups = by.empty() ? "" : ", " + chosen.groups();
  std::map<std::vector<Json>, Curve> of_group;  // groups may differ and have one label: 1 and "1"
  for (const std::vector<Json>& row :
       run_query(store, fmt::format("{}SELECT c._state, c._has_done, count(DISTINCT c.trial){} "
                                    "FROM drawn c GROUP BY c._state{}",
                                    drawn, groups, groups))
           .rows) {
    Curve& curve = of_group[group_in(row, 3)];
    curve.label = label_of(group_in(row, 3));
    const TrialState state = trial_state_named(row[0]);
    const auto trials = row[2].get<int64_t>();
    const bool is_unfinished = !has_result(state);
    curve.has_done = row[1] == 1;
    if (state == TrialState::diverged) curve.diverged += trials;
    if (is_unfinished) curve.unfinished[state] += trials;
    if (state == TrialState::done || !curve.has_done) curve.trials += trials;
  }
  const QueryResult rows = run_query(
      store,
      fmt::format("{}SELECT m.step, mean(m.value), count(m.value){} FROM drawn c JOIN metric m ON "
                  "{} WHERE c._state = 'done' OR NOT c._has_done GROUP BY m.step{} "
                  "ORDER BY {}m.step",
                  drawn, groups, metric_sql, groups, by.empty() ? "" : chosen.order() + ", "));
  std::vector<Curve> found;
  std::vector<Json> group;
  for (const std::vector<Json>& row : rows.rows) {
    if (found.empty() || group != group_in(row, 3)) {
      group = group_in(row, 3);
      found.push_back(of_group.at(group));
    }
    found.back().points.push_back({row[0], row[1], row[2]});
  }
  return found;
}

TrialCounts trials_without_curve(Store& store, const std::string& metric, const std::string& where,
                                 const std::vector<std::string>& by) {
  const std::string metric_sql = rows_of_metric(store, metric);
  SQLite::Statement rows(
      store.database(),
      fmt::format("{}SELECT c._state, count(DISTINCT c.trial) FROM chosen c WHERE c._state != "
                  "'done' AND NOT EXISTS(SELECT 1 FROM metric m WHERE {} AND m.value IS NOT NULL) "
                  "AND c._job IN (SELECT c._job FROM chosen c WHERE EXISTS(SELECT 1 FROM metric m "
                  "WHERE {})) GROUP BY 1",
                  ChosenTrials(store, where, by).sql(), metric_sql, metric_sql));
  TrialCounts counts;
  while (rows.executeStep()) counts[state_at(rows, 0)] = rows.getColumn(1).getInt64();
  return counts;
}

}  // namespace rethink
