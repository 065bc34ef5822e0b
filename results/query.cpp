#include "results/query.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/error.h"
#include "core/json.h"
#include "core/store_command.h"
#include "results/counted_state.h"
#include "results/curve_tail.h"
#include "results/schema.h"
#include "results/settings.h"
#include "results/where.h"

namespace rethink {
namespace {

const std::set<std::string> kFunctions = {"mean", "sd",  "sem", "ci95", "median",
                                          "iqm",  "min", "max", "n",    "mean_ci"};

/// "dev/mcc" apart; false when there is no split.
bool is_metric(const std::string& value, std::string& split, std::string& name) {
  const size_t slash = value.find('/');
  if (slash == std::string::npos) return false;
  split = value.substr(0, slash);
  name = value.substr(slash + 1);
  return true;
}

/// Some of the names; where that are not all, with how to list them.
std::string first_of(std::vector<std::string> names, const Store& store, const std::string& sql) {
  constexpr size_t kMost = 16;
  if (names.size() <= kMost) return joined(names);
  const size_t more = names.size() - kMost;
  names.resize(kMost);
  return fmt::format("{} and {} more (`{}` lists all)", joined(names), more,
                     store_command(fmt::format("query '{}'", sql), store.folder()));
}

/// The values of a group, from column `first` on; numbers with every digit that parts them.
std::string label_of(const std::vector<Json>& row, size_t first) {
  std::vector<std::string> values;
  for (size_t i = first; i < row.size(); ++i) {
    values.push_back(row[i].is_string()         ? row[i].get<std::string>()
                     : row[i].is_number_float() ? fmt::format("{}", row[i].get<double>())
                                                : row[i].dump());
  }
  return joined(values);
}

std::string last_metric(const std::string& split, const std::string& name) {
  if (const auto curve = curve_of_tail(name))
    return tail_sql("c.trial", sql_text(split), sql_text(*curve));
  return fmt::format(
      "(SELECT m.value FROM metric m WHERE m.trial = c.trial AND m.split = {} AND m.name = {} "
      "ORDER BY m.step DESC LIMIT 1)",
      sql_text(split), sql_text(name));
}

class ShortQuerySql {
 public:
  ShortQuerySql(Store& store, const ShortQuery& query)
      : store_(store), query_(query), names_(store) {}

  /// "chosen": each trial that the condition keeps, with its group; `more` is SQL of further
  /// columns.
  std::string chosen(const std::vector<std::string>& extra, const std::string& more = "") {
    const Condition condition = parse_condition(query_.where, names_);
    bool sweeps = condition.speaks_of_sweeps;
    std::string columns = "t.id AS trial, t.job AS _job, " + counted_state_sql() + " AS _state";
    for (const auto* list : {&query_.by, &extra}) {
      for (const std::string& name : *list) {
        columns += fmt::format(", {} AS {}", names_.sql(name), sql_name(name));
        sweeps = sweeps || names_.of_sweep(name);
      }
    }
    return fmt::format("WITH chosen AS (SELECT DISTINCT {}{} FROM trial t{} WHERE {})\n", columns,
                       more, sweeps ? " LEFT JOIN sweep_trial s ON s.trial = t.id" : "",
                       condition.sql);
  }

  std::string sql() {
    std::vector<std::string> shown, extra;
    for (const std::string& item : query_.show) shown.push_back(column_of(item, extra));
    const bool is_said =
        std::find(query_.show.begin(), query_.show.end(), "diverged") != query_.show.end();
    if (!metrics_.empty() && !is_said &&
        any("SELECT 1 FROM chosen c WHERE c._state = 'diverged'", extra)) {
      shown.push_back(column_of("diverged", extra));
    }
    const std::string groups = group_columns();
    const std::string first = query_.by.empty() && !aggregates_ ? "c.trial" : groups;
    std::string text = chosen(extra) + "SELECT " + first;
    for (const std::string& column : shown)
      text += (text.ends_with("SELECT ") ? "" : ", ") + column;
    text += " FROM chosen c";
    if (!groups.empty()) {
      text +=
          fmt::format(" WHERE coalesce({}, NULL) IS NOT NULL GROUP BY {} ORDER BY", groups, groups);
      for (size_t i = 0; i < query_.by.size(); ++i) {
        text += fmt::format("{} CAST(c.{} AS REAL), c.{}", i ? "," : "", sql_name(query_.by[i]),
                            sql_name(query_.by[i]));
      }
    }
    return text;
  }

  TrialCounts unfinished() {
    std::vector<std::string> extra;
    for (const std::string& item : query_.show) column_of(item, extra);
    if (metrics_.empty()) return {};
    const std::string groups = group_columns();
    const std::string has_metric = fmt::format("coalesce({}, NULL) IS NOT NULL", joined(metrics_));
    // A trial that failed early or waits has no value, but would have one as others of its job do.
    SQLite::Statement rows(
        store_.database(),
        fmt::format(
            "{}SELECT c._state, count(DISTINCT c.trial) FROM chosen c WHERE c._state NOT "
            "IN ('done', 'diverged'){} AND c._job IN (SELECT c._job FROM chosen c WHERE "
            "{}) GROUP BY 1",
            chosen(extra),
            groups.empty() ? "" : fmt::format(" AND coalesce({}, NULL) IS NOT NULL", groups),
            has_metric));
    TrialCounts counts;
    while (rows.executeStep()) counts[rows.getColumn(0)] = rows.getColumn(1).getInt64();
    return counts;
  }

  std::vector<std::string> mixed_profiles() {
    std::vector<std::string> extra, profiles;
    for (const std::string& item : query_.show) column_of(item, extra);
    if (values_.empty()) return {};
    std::string key;
    for (const std::string& name : query_.by) key += (key.empty() ? "c." : ", c.") + sql_name(name);
    SQLite::Statement rows(
        store_.database(),
        fmt::format("{}, valued AS (SELECT DISTINCT c.trial, json_array({}) AS g FROM chosen c "
                    "WHERE coalesce({}, NULL) IS NOT NULL), "
                    "shares AS (SELECT g, profile, count(DISTINCT v.trial) AS n FROM valued v JOIN "
                    "sweep_trial USING (trial) GROUP BY g, profile), "
                    "wholes AS (SELECT g, count(*) AS whole FROM valued GROUP BY g), "
                    "parts AS (SELECT g, max(n) AS part FROM shares GROUP BY g) "
                    "SELECT DISTINCT profile FROM shares JOIN wholes USING (g) JOIN parts USING "
                    "(g) WHERE part < whole ORDER BY profile",
                    chosen(extra), key, joined(values_)));
    while (rows.executeStep()) profiles.push_back(rows.getColumn(0));
    return profiles;
  }

  std::vector<PooledKey> pooled() {
    std::vector<std::string> extra;
    for (const std::string& item : query_.show) column_of(item, extra);
    if (values_.empty()) return {};
    const std::vector<Setting> keys = settings_of_trials(store_);
    std::string columns, counts, most;
    for (size_t i = 0; i < keys.size(); ++i) {
      columns += fmt::format(", {} AS k{}", keys[i].sql, i);
      counts += fmt::format("{}count(DISTINCT ifnull(c.k{}, '')) AS k{}", i ? ", " : "", i, i);
      most += fmt::format("{}max(k{})", i ? ", " : "", i);
    }
    const std::string groups = group_columns();
    const QueryResult found = run_query(
        store_,
        fmt::format(
            "{}SELECT {} FROM (SELECT {} FROM chosen c WHERE coalesce({}, NULL) IS NOT NULL{})",
            chosen(extra, columns), most, counts, joined(values_),
            groups.empty() ? "" : " GROUP BY " + groups));
    std::vector<PooledKey> pooled;
    for (size_t i = 0; i < keys.size(); ++i) {
      const Json& values = found.rows.at(0).at(i);
      if (values.is_number() && values.get<int64_t>() > 1)
        pooled.push_back({keys[i].name, values.get<int64_t>()});
    }
    return pooled;
  }

  /// A metric that no trial has is a slip of the pen. Only then all names are looked for: that
  /// reads the whole table.
  void require_metric(const std::string& value, const std::string& split, const std::string& name) {
    if (any_trial_has(split, name)) return;
    const std::vector<std::string> known = all("SELECT DISTINCT split || '/' || name FROM metric");
    const std::string plain = value.substr(0, value.find('@'));
    const bool is_plain_known = std::find(known.begin(), known.end(), plain) != known.end();
    throw ConfigError(fmt::format(
        "unknown metric '{}'{}; known: {}", value,
        is_plain_known ? fmt::format("; did you mean '{}'?", plain) : did_you_mean(value, known),
        first_of(known, store_, "SELECT DISTINCT split, name FROM metric")));
  }

 private:
  std::string group_columns() const {
    std::string columns;
    for (const std::string& name : query_.by)
      columns += (columns.empty() ? "" : ", ") + ("c." + sql_name(name));
    return columns;
  }

  /// Whether `sql`, which speaks of `chosen`, has a row.
  bool any(const std::string& sql, const std::vector<std::string>& extra) {
    SQLite::Statement rows(store_.database(), chosen(extra) + sql + " LIMIT 1");
    return rows.executeStep();
  }

  bool any_trial_has(const std::string& split, const std::string& name) {
    SQLite::Statement any(
        store_.database(),
        "SELECT 1 FROM trial t WHERE EXISTS(SELECT 1 FROM metric m WHERE m.trial = t.id AND "
        "m.split = ?1 AND m.name IN (?2, ?2 || '@last')) LIMIT 1");
    any.bind(1, split);
    any.bind(2, curve_of_tail(name).value_or(name));
    return any.executeStep();
  }

  /// The final value of a metric; of a name without a split, that of the first split here that the
  /// trial has.
  std::string metric_value(const std::string& name, const std::vector<std::string>& splits) {
    std::vector<std::string> places;
    for (const std::string& split : splits) {
      if (name.find('@') == std::string::npos) places.push_back(last_metric(split, name + "@last"));
      places.push_back(last_metric(split, name));
    }
    return places.size() == 1 ? places[0] : fmt::format("coalesce({})", joined(places, ", "));
  }

  /// "score": the reported split is test, or dev where there is no test.
  std::vector<std::string> splits_with(const std::string& name) {
    std::vector<std::string> splits;
    for (const char* split : {"test", "dev", "train"}) {
      if (any_trial_has(split, name)) splits.emplace_back(split);
    }
    return splits;
  }

  std::string column_of(const std::string& item, std::vector<std::string>& extra) {
    const size_t open = item.find('(');
    std::string function, inner = item;
    if (open != std::string::npos) {
      if (item.back() != ')')
        throw ConfigError(fmt::format("--show: expected ')' at the end of '{}'", item));
      function = item.substr(0, open);
      inner = item.substr(open + 1, item.size() - open - 2);
      if (!kFunctions.count(function)) {
        const std::vector<std::string> known(kFunctions.begin(), kFunctions.end());
        throw ConfigError(fmt::format(
            "--show: unknown function '{}'{}; known: {}; SQL knows more (docs/store.md)", function,
            did_you_mean(function, known), joined(known)));
      }
    } else if (item == "n") {
      aggregates_ = true;
      return values_.empty() ? "count(*) AS n" : fmt::format("count({}) AS n", values_.back());
    } else if (item == "diverged") {
      aggregates_ = true;
      return "sum(c._state = 'diverged') AS diverged";
    }
    std::string value = value_of(inner, extra);
    if (function.empty()) function = query_.by.empty() ? "" : "mean";
    if (function.empty()) return value + " AS " + sql_name(item);
    aggregates_ = true;
    if (is_of_metric_) {
      metrics_.push_back(value);
      const char* counts = query_.takes_unfinished ? "c._state != 'diverged'" : "c._state = 'done'";
      value = fmt::format("iif({}, {}, NULL)", counts, value);
    }
    values_.push_back(value);
    return fmt::format("{}({}) AS {}", function == "n" ? "count" : function, value, sql_name(item));
  }

  std::string value_of(const std::string& value, std::vector<std::string>& extra) {
    std::string split, name;
    is_of_metric_ = true;
    if (is_metric(value, split, name)) {
      require_metric(value, split, name);
      return metric_value(name, {split});
    }
    is_of_metric_ = false;
    if (measurements_.empty()) measurements_ = all("SELECT DISTINCT name FROM measurement");
    if (std::binary_search(measurements_.begin(), measurements_.end(), value)) {
      return fmt::format(
          "(SELECT m.value FROM measurement m WHERE m.trial = c.trial AND m.name = {} ORDER BY "
          "m.step DESC LIMIT 1)",
          sql_text(value));
    }
    if (const auto splits = splits_with(value); !splits.empty()) {
      is_of_metric_ = true;
      return metric_value(value, splits);
    }
    require_name(value);
    if (std::find(query_.by.begin(), query_.by.end(), value) == query_.by.end() &&
        std::find(extra.begin(), extra.end(), value) == extra.end()) {
      extra.push_back(value);
    }
    return "c." + sql_name(value);
  }

  /// Whoever misspells a metric gets metrics to choose from too.
  void require_name(const std::string& value) {
    try {
      names_.sql(value);
    } catch (const ConfigError&) {
      const std::vector<std::string> metrics = all("SELECT DISTINCT name FROM metric");
      const std::string meant = did_you_mean(value, metrics);
      if (meant.empty()) throw;
      throw ConfigError(fmt::format("unknown name '{}'{}; metrics are: {}", value, meant,
                                    first_of(metrics, store_, "SELECT DISTINCT name FROM metric")));
    }
  }

  std::vector<std::string> all(const std::string& sql) {
    std::vector<std::string> names;
    SQLite::Statement rows(store_.database(), sql + " ORDER BY 1");
    while (rows.executeStep()) names.push_back(rows.getColumn(0));
    return names;
  }

  Store& store_;
  const ShortQuery& query_;
  QueryNames names_;
  bool aggregates_ = false;
  bool is_of_metric_ = false;         // the last value_of
  std::vector<std::string> values_;   // that functions are taken of, as SQL
  std::vector<std::string> metrics_;  // those that are metrics, of trials in any state
  std::vector<std::string> measurements_;
};

}  // namespace

std::string short_query_sql(Store& store, const ShortQuery& query) {
  return ShortQuerySql(store, query).sql();
}

std::vector<PooledKey> pooled_keys(Store& store, const ShortQuery& query) {
  return ShortQuerySql(store, query).pooled();
}

TrialCounts unfinished_trials(Store& store, const ShortQuery& query) {
  return ShortQuerySql(store, query).unfinished();
}

std::vector<std::string> mixed_profiles(Store& store, const ShortQuery& query) {
  return ShortQuerySql(store, query).mixed_profiles();
}

std::vector<Curve> curves(Store& store, const std::string& metric, const std::string& where,
                          const std::vector<std::string>& by) {
  std::string split, name;
  if (!is_metric(metric, split, name)) {
    throw ConfigError(fmt::format("expected a metric as SPLIT/NAME, got '{}'", metric));
  }
  const ShortQuery query{where, by, {}};
  ShortQuerySql sql(store, query);
  sql.require_metric(metric, split, name);
  std::string groups, order;
  for (const std::string& key : by) {
    groups += fmt::format(", c.{}", sql_name(key));
    order += fmt::format("CAST(c.{0} AS REAL), c.{0}, ", sql_name(key));
  }
  const std::string metric_sql =
      fmt::format("m.trial = c.trial AND m.split = {} AND m.name = {} AND m.value IS NOT NULL",
                  sql_text(split), sql_text(name));
  // "drawn": the trials with a value; `_has_done`: whether a trial of the same curve is done.
  const std::string drawn = fmt::format(
      "{}, valued AS (SELECT * FROM chosen c WHERE EXISTS(SELECT 1 FROM metric m WHERE {})), "
      "drawn AS (SELECT *, max(_state = 'done') OVER ({}) AS _has_done FROM valued c)\n",
      sql.chosen({}), metric_sql, by.empty() ? "" : "PARTITION BY " + groups.substr(2));
  std::map<std::string, Curve> of_label;
  for (const std::vector<Json>& row :
       run_query(store, fmt::format("{}SELECT c._state, c._has_done, count(DISTINCT c.trial){} "
                                    "FROM drawn c GROUP BY c._state{}",
                                    drawn, groups, groups))
           .rows) {
    const std::string label = label_of(row, 3);
    Curve& curve = of_label[label];
    curve.label = label;
    const TrialState state = row[0];
    const auto trials = row[2].get<int64_t>();
    const bool is_unfinished = state != "done" && state != "diverged";
    curve.has_done = row[1] == 1;
    if (state == "diverged") curve.diverged += trials;
    if (is_unfinished) curve.unfinished[state] += trials;
    if (!is_unfinished || !curve.has_done) curve.trials += trials;
  }
  const QueryResult rows = run_query(
      store,
      fmt::format("{}SELECT m.step, mean(m.value), count(m.value){} FROM drawn c JOIN metric "
                  "m ON {} WHERE c._state IN ('done', 'diverged') OR NOT c._has_done GROUP "
                  "BY m.step{} ORDER BY {}m.step",
                  drawn, groups, metric_sql, groups, order));
  std::vector<Curve> found;
  for (const std::vector<Json>& row : rows.rows) {
    const std::string label = label_of(row, 3);
    if (found.empty() || found.back().label != label) found.push_back(of_label.at(label));
    found.back().points.push_back({row[0], row[1], row[2]});
  }
  return found;
}

}  // namespace rethink
