#include "results/query/curves.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/json.h"
#include "results/database/sql_expressions.h"
#include "results/database/statement.h"
#include "results/query/recorded_names.h"
#include "results/query/run_query.h"
#include "results/records/chosen_trials.h"

namespace rethink {
namespace {

/// The values of a group, from column `first` on.
std::vector<Json> group_in(const std::vector<Json>& row, ptrdiff_t first) {
  return std::vector<Json>(row.begin() + first, row.end());
}

/// Numbers are written with all digits that distinguish them.
std::string label_of(const std::vector<Json>& group) {
  std::vector<std::string> values;
  for (const Json& value : group) {
    values.push_back(value.is_string()         ? value.get<std::string>()
                     : value.is_number_float() ? fmt::format("{}", value.get<double>())
                                               : value.dump());
  }
  return joined(values);
}

/// SQL: the rows `m` of table metric for the trial of the SQL `trial`.
std::string rows_of_metric(Store& store, const std::string& metric, const char* trial) {
  const auto named = named_metric(metric);
  if (!named)
    throw ConfigError("invalid-metric-name",
                      fmt::format("expected a metric as SPLIT/NAME, got '{}'", metric));
  required_metric(store, metric, *named);
  return fmt::format("m.trial = {} AND m.split = {} AND m.name = {}", trial, sql_text(named->split),
                     sql_text(named->name));
}

/// "drawn": the trials with a value; `_has_done`: whether a trial of the same curve is done.
std::string drawn_trials(const ChosenTrials& chosen, const std::string& metric_sql) {
  const std::string groups = chosen.groups();
  return fmt::format(
      "{}, valued AS (SELECT * FROM chosen c WHERE EXISTS(SELECT 1 FROM metric m WHERE {})), "
      "drawn AS (SELECT *, max(_state = {}) OVER ({}) AS _has_done FROM valued c)\n",
      chosen.sql(), metric_sql, sql_text(TrialState::done),
      groups.empty() ? "" : "PARTITION BY " + groups);
}

/// The sums of a curve's mean, step by step. SQLite would sort the values of all trials by step,
/// which takes three times as long for four million values.
class StepSums {
 public:
  /// `values`: rows of step and value of one trial, by step.
  void add(SQLite::Statement& values) {
    const auto known = static_cast<ptrdiff_t>(sums_.size());
    ptrdiff_t at = 0;
    while (values.executeStep()) {
      const int64_t step = values.getColumn(0).getInt64();
      const double value = values.getColumn(1).getDouble();
      while (at < known && sums_[static_cast<size_t>(at)].step < step) ++at;
      if (at < known && sums_[static_cast<size_t>(at)].step == step) {
        sums_[static_cast<size_t>(at)].sum += value;
        ++sums_[static_cast<size_t>(at)].trials;
      } else {
        sums_.push_back({step, value, 1});
      }
    }
    std::inplace_merge(sums_.begin(), sums_.begin() + known, sums_.end(),
                       [](const Sum& a, const Sum& b) { return a.step < b.step; });
  }

  std::vector<CurvePoint> points() const {
    std::vector<CurvePoint> points;
    points.reserve(sums_.size());
    for (const auto& [step, sum, trials] : sums_)
      points.push_back({step, static_cast<double>(sum / static_cast<long double>(trials)), trials});
    return points;
  }

 private:
  struct Sum {
    int64_t step;
    long double sum;
    int64_t trials;
  };
  std::vector<Sum> sums_;  // by step
};

}  // namespace

std::vector<Curve> curves(Store& store, const std::string& metric, const std::string& where,
                          const std::vector<std::string>& by) {
  const auto values_of = [&](const char* trial) {
    return rows_of_metric(store, metric, trial) + " AND m.value IS NOT NULL";
  };
  const ChosenTrials chosen(store, where, by);
  const std::string groups = by.empty() ? "" : ", " + chosen.groups();
  const QueryResult drawn =
      run_query(store, fmt::format("{}SELECT c.trial, c._state, c._has_done{} FROM drawn c "
                                   "ORDER BY {}c.trial",
                                   drawn_trials(chosen, values_of("c.trial")), groups,
                                   by.empty() ? "" : chosen.order() + ", "));
  SQLite::Statement values(store.database(),
                           fmt::format("SELECT m.step, m.value FROM metric m WHERE {} ORDER BY "
                                       "m.step",
                                       values_of("?")));
  std::vector<Curve> found;
  std::vector<Json> group;  // of the last one; groups may differ and have one label: 1 and "1"
  StepSums sums;
  const auto end_curve = [&] {
    if (!found.empty()) found.back().points = std::exchange(sums, {}).points();
  };
  for (const std::vector<Json>& row : drawn.rows) {
    if (found.empty() || group != group_in(row, 3)) {
      end_curve();
      group = group_in(row, 3);
      Curve started;
      started.label = label_of(group);
      started.has_done = row[2] == 1;
      found.push_back(std::move(started));
    }
    Curve& curve = found.back();
    const TrialState state = trial_state_named(row[1]);
    if (state == TrialState::diverged) ++curve.diverged;
    if (!has_result(state)) ++curve.unfinished[state];
    if (state != TrialState::done && curve.has_done) continue;
    ++curve.trials;
    values.bind(1, row[0].get<std::string>());
    sums.add(values);
    values.reset();
  }
  end_curve();
  return found;
}

TrialCounts trials_without_curve(Store& store, const std::string& metric, const std::string& where,
                                 const std::vector<std::string>& by) {
  const std::string metric_sql = rows_of_metric(store, metric, "c.trial");
  SQLite::Statement rows(
      store.database(),
      fmt::format("{}SELECT c._state, count(DISTINCT c.trial) FROM chosen c WHERE c._state != "
                  "{} AND NOT EXISTS(SELECT 1 FROM metric m WHERE {} AND m.value IS NOT NULL) "
                  "AND c._job IN (SELECT c._job FROM chosen c WHERE EXISTS(SELECT 1 FROM metric m "
                  "WHERE {})) GROUP BY 1",
                  ChosenTrials(store, where, by).sql(), sql_text(TrialState::done), metric_sql,
                  metric_sql));
  TrialCounts counts;
  while (rows.executeStep()) counts[state_at(rows, 0)] = rows.getColumn(1).getInt64();
  return counts;
}

}  // namespace rethink
