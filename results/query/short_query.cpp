#include "results/query/short_query.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "core/text.h"
#include "results/database/sql_expressions.h"
#include "results/database/statement.h"
#include "results/query/recorded_names.h"
#include "results/query/run_query.h"
#include "results/records/chosen_trials.h"

namespace rethink {
namespace {

const std::set<std::string> kFunctions = {"mean", "sd",  "sem", "ci95", "median",
                                          "iqm",  "min", "max", "n",    "mean_ci"};

std::string last_metric(const std::string& split, const std::string& name) {
  if (const auto curve = curve_of_tail(name))
    return tail_sql("c.trial", sql_text(split), sql_text(*curve));
  return fmt::format(
      "(SELECT m.value FROM metric m WHERE m.trial = c.trial AND m.split = {} AND m.name = {} "
      "ORDER BY m.step DESC LIMIT 1)",
      sql_text(split), sql_text(name));
}

/// Splits "mean(dev/mcc)" into "mean" and "dev/mcc"; without a function: "" and the item.
std::pair<std::string, std::string> function_of(const std::string& item) {
  const size_t open = item.find('(');
  if (open == std::string::npos) return {"", item};
  if (item.back() != ')')
    throw ConfigError("invalid-query",
                      fmt::format("--show: expected ')' at the end of '{}'", item));
  const std::string function = item.substr(0, open);
  if (!kFunctions.count(function)) {
    const std::vector<std::string> known(kFunctions.begin(), kFunctions.end());
    throw ConfigError(
        "unknown-name",
        fmt::format("--show: unknown function '{}'{}; known: {}; SQL knows more (docs/query.md)",
                    function, did_you_mean(function, known), joined(known)));
  }
  return {function, item.substr(open + 1, item.size() - open - 2)};
}

/// The SQL of one short query.
class ShortQuerySql {
 public:
  /// Throws ConfigError for unknown names or functions, and for lists that are too long.
  ShortQuerySql(Store& store, const ShortQuery& query);

  /// Throws ConfigError for an item per trial beside an item over all trials.
  std::string sql();

  /// "WITH ... chosen AS (...)\n", as ChosenTrials::sql().
  std::string chosen(const std::string& more = "") const { return chosen_.sql(more); }
  /// SQL of the group columns of `chosen c`; empty without groups.
  std::string groups() const { return chosen_.groups(); }
  /// SQL over `chosen c`: whether a function uses a value of the trial, or would use it if the
  /// trial were done; empty without a function.
  std::string has_value() const { return any_of(values_); }
  std::string has_metric() const { return any_of(metrics_); }

  /// A metric of the reported split that a function uses.
  struct Reported {
    std::string name;
    std::string value, split;  // SQL over `chosen c`; NULL if the function uses no value
  };
  const std::vector<Reported>& reported() const { return reported_; }

 private:
  struct Value {
    std::string sql;
    bool is_metric = false;
    bool is_name = false;    // a label, a configuration key or a column of trial
    std::string split = {};  // for a metric of the reported split: SQL of that split
  };

  static std::string any_of(const std::vector<std::string>& values);
  std::string column_of(const std::string& item);
  std::string function_column(const std::string& item, const std::string& function,
                              const std::string& inner);
  Value value_of(const std::string& value);
  Value scaled(Value value) const;
  std::string final_value(const std::string& name, const std::vector<std::string>& splits) const;
  std::string split_of(const std::string& name, const std::vector<std::string>& splits) const;
  std::vector<std::string> splits_with(const std::string& name);
  void require_name(const std::string& value);
  void require_one_value(const std::string& item, const std::string& name);
  void require_numbers(const std::string& item, const std::string& name, const std::string& value);
  void refuse_mixture() const;

  Store& store_;
  const ShortQuery& query_;
  ChosenTrials chosen_;
  std::vector<std::string> columns_;
  // The first item with a value per trial, and the first with one value for all.
  std::string each_, together_;
  bool each_is_name_ = false;
  std::vector<std::string> values_;   // arguments of functions, as SQL
  std::vector<std::string> metrics_;  // arguments that are metrics, of trials in any state
  std::vector<Reported> reported_;
  std::vector<std::string> measurements_;
};

ShortQuerySql::ShortQuerySql(Store& store, const ShortQuery& query)
    : store_(store), query_(query), chosen_(store, query.where, query.by) {
  if (query_.show.size() > kMostListed)
    throw ConfigError("too-many", fmt::format("--show: got {} values, expected at most {}",
                                              query_.show.size(), kMostListed));
  for (const std::string& item : query_.show) columns_.push_back(column_of(item));
}

std::string ShortQuerySql::sql() {
  refuse_mixture();
  const bool is_said = std::ranges::count(query_.show, "diverged") > 0;
  if (!metrics_.empty() && !is_said) {
    if (has_row(statement_of(store_.database(),
                             chosen() + "SELECT 1 FROM chosen c WHERE c._state = ? LIMIT 1",
                             TrialState::diverged)))
      columns_.push_back(column_of("diverged"));
  }
  std::vector<std::string> columns = columns_;
  const std::string groups_not_shown = chosen_.named_groups(query_.show);
  if (!groups_not_shown.empty()) columns.insert(columns.begin(), groups_not_shown);
  const bool is_list = query_.by.empty() && together_.empty();
  const bool shows_trial = std::ranges::count(query_.show, "trial") > 0;
  if (is_list && !shows_trial) columns.insert(columns.begin(), "c.trial AS trial");
  std::string text = chosen() + "SELECT " + joined(columns) + " FROM chosen c";
  if (!query_.by.empty())
    text += fmt::format(" GROUP BY {} ORDER BY {}", groups(), chosen_.order());
  // In the order in which they were recorded.
  if (is_list) text += " ORDER BY (SELECT r.rowid FROM trial_record r WHERE r.id = c.trial)";
  return text;
}

/// SQLite would show an arbitrary trial's value beside a value over all trials.
void ShortQuerySql::refuse_mixture() const {
  if (each_.empty() || together_.empty()) return;
  const std::string instead =
      each_is_name_ ? "group the trials with --by " + each_ : fmt::format("write mean({})", each_);
  throw ConfigError(
      "invalid-query",
      fmt::format("--show: '{}' has a value for each trial, '{}' one value for all trials "
                  "together; {}, or leave out {}",
                  each_, together_, instead, together_));
}

std::string ShortQuerySql::any_of(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values)
    text += (text.empty() ? "" : " OR ") + value + " IS NOT NULL";
  return text.empty() ? "" : "(" + text + ")";
}

std::string ShortQuerySql::column_of(const std::string& item) {
  if (item == "n" || item == "diverged") {
    if (together_.empty()) together_ = item;
    if (item == "diverged")
      return fmt::format("sum(c._state = {}) AS diverged", sql_text(TrialState::diverged));
    return fmt::format("count({}) AS n", values_.empty() ? "*" : values_.back());
  }
  auto [function, inner] = function_of(item);
  if (function.empty() && chosen_.is_key(inner))
    return fmt::format("{} AS {}", chosen_.value(inner), sql_name(item));
  if (function.empty() && !query_.by.empty()) function = "mean";
  if (!function.empty()) return function_column(item, function, inner);
  const Value value = scaled(value_of(inner));
  if (each_.empty()) {
    each_ = item;
    each_is_name_ = value.is_name;
  }
  return fmt::format("{} AS {}", value.sql, sql_name(item));
}

std::string ShortQuerySql::function_column(const std::string& item, const std::string& function,
                                           const std::string& inner) {
  if (together_.empty()) together_ = item;
  Value value = scaled(value_of(inner));
  if (value.is_metric) {
    metrics_.push_back(value.sql);
    const std::string counts = query_.takes_unfinished
                                   ? "c._state != " + sql_text(TrialState::diverged)
                                   : "c._state = " + sql_text(TrialState::done);
    value.sql = fmt::format("iif({}, {}, NULL)", counts, value.sql);
    if (!value.split.empty()) reported_.push_back({inner, value.sql, value.split});
  }
  if (value.is_name && function != "n") require_one_value(item, inner);
  const bool is_order = function == "min" || function == "max";
  if (value.is_name && is_order) value.sql = fmt::format("number_or_text({})", value.sql);
  if (value.is_name && !is_order && function != "n") require_numbers(item, inner, value.sql);
  values_.push_back(value.sql);
  const bool has_digits = function == "mean_ci" && query_.decimals;
  return fmt::format("{}({}{}) AS {}", function == "n" ? "count" : function, value.sql,
                     has_digits ? fmt::format(", {}", *query_.decimals) : "", sql_name(item));
}

/// A label or a configuration key is shown unchanged.
ShortQuerySql::Value ShortQuerySql::scaled(Value value) const {
  if (!value.is_name && query_.scale != 1)
    value.sql = fmt::format("({:.17g} * {})", query_.scale, value.sql);
  return value;
}

/// The argument of a function must have one value per trial.
void ShortQuerySql::require_one_value(const std::string& item, const std::string& name) {
  const auto several = chosen_.ambiguous(name);
  if (!several) return;
  throw ConfigError(
      "invalid-query",
      fmt::format("--show: '{}' takes one value of each trial, and the sweeps of trial {} give it "
                  "several of {}: {}; choose a sweep with --where sweep=NAME, or group the trials "
                  "with --by {}",
                  item, several->trial, name, several->values, name));
}

/// Text has no mean.
void ShortQuerySql::require_numbers(const std::string& item, const std::string& name,
                                    const std::string& value) {
  SQLite::Statement text(store_.database(),
                         fmt::format("{0}SELECT {1} FROM chosen c WHERE "
                                     "typeof(number_or_text({1})) IN ('text', 'blob') LIMIT 1",
                                     chosen_.sql(), value));
  if (!text.executeStep()) return;
  throw ConfigError(
      "invalid-query",
      fmt::format(
          "--show: '{}' needs numbers, and a value of {} is the text '{}'; count its values with "
          "n({}), or group the trials with --by {}",
          item, name, one_line(text.getColumn(0).getString()), name, name));
}

ShortQuerySql::Value ShortQuerySql::value_of(const std::string& value) {
  if (const auto metric = named_metric(value)) {
    required_metric(store_, value, *metric);
    return {final_value(metric->name, {metric->split}), /*is_metric=*/true};
  }
  if (measurements_.empty())
    measurements_ = all_names(store_, "SELECT DISTINCT name FROM measurement");
  if (std::ranges::binary_search(measurements_, value)) {
    return {
        fmt::format("(SELECT m.value FROM measurement m WHERE m.trial = c.trial AND m.name = {} "
                    "ORDER BY m.step DESC LIMIT 1)",
                    sql_text(value))};
  }
  if (const auto splits = splits_with(value); !splits.empty())
    return {final_value(value, splits), /*is_metric=*/true, /*is_name=*/false,
            split_of(value, splits)};
  require_name(value);
  return {chosen_.value(value), /*is_metric=*/false, /*is_name=*/true};
}

/// The final value of a metric; for a name without a split, on the first of these splits that the
/// trial has.
std::string ShortQuerySql::final_value(const std::string& name,
                                       const std::vector<std::string>& splits) const {
  std::vector<std::string> places;
  for (const std::string& split : splits) {
    if (name.find('@') == std::string::npos) places.push_back(last_metric(split, name + "@last"));
    places.push_back(last_metric(split, name));
  }
  return places.size() == 1 ? places[0] : fmt::format("coalesce({})", joined(places, ", "));
}

/// The split that final_value uses.
std::string ShortQuerySql::split_of(const std::string& name,
                                    const std::vector<std::string>& splits) const {
  std::string cases;
  for (const std::string& split : splits)
    cases +=
        fmt::format(" WHEN {} IS NOT NULL THEN {}", final_value(name, {split}), sql_text(split));
  return fmt::format("CASE{} END", cases);
}

/// "score": the reported split is test, or dev without a test.
std::vector<std::string> ShortQuerySql::splits_with(const std::string& name) {
  std::vector<std::string> splits;
  for (const char* split : {"test", "dev", "train"}) {
    if (any_trial_has(store_, {split, name})) splits.emplace_back(split);
  }
  return splits;
}

/// The known names include metrics, since the user may have misspelt one.
void ShortQuerySql::require_name(const std::string& value) {
  try {
    chosen_.value(value);
  } catch (const ConfigError&) {
    const std::vector<std::string> metrics = all_names(store_, "SELECT DISTINCT name FROM series");
    const std::string meant = did_you_mean(value, metrics);
    if (meant.empty()) throw;
    throw UnknownName(
        "unknown-name", value,
        fmt::format("unknown name '{}'{}; metrics are: {}", value, meant,
                    first_names(metrics, store_, "query 'SELECT DISTINCT name FROM metric'")));
  }
}

/// A setting in which trials of a store may differ, for notes on trials that are averaged together.
struct Setting {
  std::string name;
  std::string sql;  // its value over trial t; one value even if several sweeps have the trial
  bool of_configuration = false;
};

std::string of_sweeps(const std::string& sql) {
  return fmt::format("(SELECT min({}) FROM sweep_trial z WHERE z.trial = t.id)", sql);
}

/// The job, the stage, configuration keys in which trials differ, and labels of needed stages
/// (`pretrain.arm`), which no configuration contains.
std::vector<Setting> settings_of_trials(Store& store) {
  std::vector<Setting> all = {{"job", "t.job"}, {"stage", of_sweeps("z.stage")}};
  SQLite::Statement keys(store.database(),
                         "SELECT key FROM configuration_key WHERE varies ORDER BY key");
  while (keys.executeStep()) {
    const std::string key = keys.getColumn(0);
    all.push_back({key, fmt::format("json_extract(t.configuration, {})", json_path(key)),
                   /*of_configuration=*/true});
  }
  SQLite::Statement labels(store.database(),
                           "SELECT DISTINCT label FROM label WHERE instr(label, '.') AND label NOT "
                           "IN (SELECT key FROM configuration_key) ORDER BY label");
  while (labels.executeStep()) {
    const std::string label = labels.getColumn(0);
    const std::string path = sql_text("$.\"" + label + "\"");
    all.push_back({label, of_sweeps(fmt::format("json_extract(z.labels, {})", path))});
  }
  return all;
}

/// Adds the members in which this part of two trials' identities differs.
void add_differences(const char* what, const Json& first, const Json& second,
                     std::vector<std::string>& all) {
  std::vector<std::string> names;
  for (const Json* one : {&first, &second}) {
    const Json& other = one == &first ? second : first;
    for (const auto& [name, value] : one->items()) {
      const bool is_same = other.contains(name) && other.at(name) == value;
      if (!is_same && std::ranges::count(names, name) == 0) names.push_back(name);
    }
  }
  if (!names.empty()) all.push_back(fmt::format("{} {}", what, joined(names)));
}

/// Parts of a trial's identity beside job, configuration and seed.
std::vector<Json> identity_parts(Store& store, const std::string& trial) {
  SQLite::Statement row =
      statement_of(store.database(),
                   "SELECT t.data, t.imported, t.revisions, (SELECT json_group_object(slot, "
                   "ids) FROM (SELECT slot, group_concat(need, ' ') AS ids FROM (SELECT slot, "
                   "need FROM trial_need WHERE trial = t.id ORDER BY slot, position) GROUP BY "
                   "slot)) FROM trial t WHERE t.id = ?",
                   trial);
  std::vector<Json> parts;
  if (row.executeStep()) {
    for (int i = 0; i < row.getColumnCount(); ++i)
      parts.push_back(Json::parse(row.getColumn(i).getString()));
  }
  return parts;
}

/// The hash of the code of `first`, if the trials are of different code; otherwise "".
std::string snapshot_if_other(Store& store, const std::string& first, const std::string& second) {
  SQLite::Statement row = statement_of(
      store.database(),
      "SELECT json_extract(a.configuration, '$.snapshot') FROM trial a, trial b WHERE a.id = ? AND "
      "b.id = ? AND json_extract(a.configuration, '$.snapshot') != json_extract(b.configuration, "
      "'$.snapshot')",
      first, second);
  return row.executeStep() ? row.getColumn(0).getString() : "";
}

std::vector<std::string> differences_of(Store& store, const std::string& first,
                                        const std::string& second) {
  std::vector<Json> one = identity_parts(store, first), two = identity_parts(store, second);
  const char* const kWhat[] = {"files of data", "imported weights of", "revisions of",
                               "trials needed as"};
  std::vector<std::string> all;
  if (!snapshot_if_other(store, first, second).empty()) {
    all.push_back("their code (snapshot)");
    for (std::vector<Json>* parts : {&one, &two}) parts->at(0).erase("code");  // the same again
  }
  for (size_t i = 0; i < std::min(one.size(), two.size()); ++i)
    add_differences(kWhat[i], one[i], two[i], all);
  return all;
}

/// SQL over trial t: whether the newest run of a sweep planned it.
std::string is_planned_sql() {
  return "EXISTS(SELECT 1 FROM sweep_trial z WHERE z.trial = t.id)";
}

std::string grouped_by(const std::string& groups) {
  return groups.empty() ? "" : " GROUP BY " + groups;
}

}  // namespace

std::string short_query_sql(Store& store, const ShortQuery& query) {
  return ShortQuerySql(store, query).sql();
}

// Trials that the functions of a short query average together, and trials that they leave out.

std::vector<PooledKey> pooled_keys(Store& store, const ShortQuery& query) {
  const ShortQuerySql sql(store, query);
  if (sql.has_value().empty()) return {};
  const std::vector<Setting> keys = settings_of_trials(store);
  std::string columns = fmt::format(", {} AS _planned", is_planned_sql()), counts, most;
  for (size_t i = 0; i < keys.size(); ++i) {
    columns += fmt::format(", {} AS k{}", keys[i].sql, i);
    // The stage and the labels of a trial that no sweep plans are unknown.
    const bool is_of_sweep = !keys[i].of_configuration && keys[i].name != "job";
    counts += fmt::format("{0}count(DISTINCT iif({1}, ifnull(c.k{2}, ''), NULL)) AS k{2}",
                          i ? ", " : "", is_of_sweep ? "c._planned" : "1", i);
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

std::optional<RepeatedSeeds> repeated_seeds(Store& store, const ShortQuery& query) {
  const ShortQuerySql sql(store, query);
  if (sql.has_value().empty()) return std::nullopt;
  std::string columns = fmt::format(
      ", t.seed AS _seed, {} AS _planned, json_remove(t.configuration, '$.snapshot', "
      "'$.code', '$.code_version') AS _configuration",
      is_planned_sql());
  std::string parts = sql.groups() + (sql.groups().empty() ? "" : ", ");
  parts += "c._job, c._configuration";
  // The settings that pooled_keys() names are already in the configuration. The newest run of a
  // sweep plans no trials of earlier code: they have no stage and no labels, and count as trials of
  // any.
  std::string settings, outer = parts;
  size_t number = 0;
  for (const Setting& setting : settings_of_trials(store)) {
    if (setting.of_configuration) continue;
    columns += fmt::format(", {} AS k{}", setting.sql, number);
    settings += fmt::format(
        ", iif(c._planned, c.k{0}, max(c.k{0}) OVER (PARTITION BY {1})) AS s{0}", number, parts);
    outer += fmt::format(", c.s{}", number++);
  }
  SQLite::Statement rows(
      store.database(),
      fmt::format(
          "{0}SELECT _seed, _ids, _trials, _seeds FROM (SELECT c._seed AS _seed, "
          "json_group_array(c.trial) AS _ids, min(c.trial) AS _first, count(*) AS _n, "
          "sum(count(*)) OVER (PARTITION BY {1}) AS _trials, count(*) OVER (PARTITION BY {1}) AS "
          "_seeds FROM (SELECT c.*{2} FROM chosen c WHERE {3} AND c._seed IS NOT NULL ORDER BY "
          "c._planned DESC, c.trial) c GROUP BY {1}, c._seed) WHERE _n > 1 ORDER BY _seed, _first",
          sql.chosen(columns), outer, settings, sql.has_value()));
  std::optional<RepeatedSeeds> found;
  while (rows.executeStep()) {
    if (!found) {
      found.emplace();
      found->seed = rows.getColumn(0).getInt64();
      found->trials = Json::parse(rows.getColumn(1).getString()).get<std::vector<std::string>>();
      found->trials_in_mean = rows.getColumn(2).getInt64();
      found->seeds_in_mean = rows.getColumn(3).getInt64();
      found->differences = differences_of(store, found->trials.at(0), found->trials.at(1));
      found->snapshot = snapshot_if_other(store, found->trials.at(0), found->trials.at(1));
    }
    ++found->count;
  }
  return found;
}

TrialCounts unfinished_trials(Store& store, const ShortQuery& query) {
  const ShortQuerySql sql(store, query);
  if (sql.has_metric().empty()) return {};
  // A trial that failed early or waits has no value, but would have one like other trials of its
  // job.
  SQLite::Statement rows(
      store.database(),
      fmt::format("{}SELECT c._state, count(DISTINCT c.trial) FROM chosen c WHERE c._state NOT IN "
                  "({}) AND c._job IN (SELECT c._job FROM chosen c WHERE {}) GROUP BY 1",
                  sql.chosen(), sql_list(has_result), sql.has_metric()));
  TrialCounts counts;
  while (rows.executeStep()) counts[state_at(rows, 0)] = rows.getColumn(1).getInt64();
  return counts;
}

TrialCounts kept_results(Store& store, const ShortQuery& query) {
  const ShortQuerySql sql(store, query);
  if (sql.has_metric().empty()) return {};
  SQLite::Statement rows(
      store.database(),
      fmt::format("{}SELECT c._kept, count(DISTINCT c.trial) FROM chosen c WHERE c._kept IS NOT "
                  "NULL AND {} GROUP BY 1",
                  sql.chosen(", t.repetition AS _kept"), sql.has_metric()));
  TrialCounts counts;
  while (rows.executeStep()) counts[state_at(rows, 0)] = rows.getColumn(1).getInt64();
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

std::vector<MixedSplits> mixed_splits(Store& store, const ShortQuery& query) {
  const ShortQuerySql sql(store, query);
  // By metric, since several functions may use one metric.
  std::map<std::string, MixedSplits> mixed;
  for (const ShortQuerySql::Reported& metric : sql.reported()) {
    SQLite::Statement rows(
        store.database(),
        fmt::format(
            "{}, valued AS (SELECT DISTINCT c.trial, json_array({}) AS g, {} AS split FROM "
            "chosen c WHERE {} IS NOT NULL) SELECT split, count(DISTINCT trial) FROM valued "
            "WHERE g IN (SELECT g FROM valued GROUP BY g HAVING count(DISTINCT split) > 1) "
            "GROUP BY split ORDER BY 2 DESC, 1",
            sql.chosen(), sql.groups(), metric.split, metric.value));
    MixedSplits found{metric.name, {}};
    while (rows.executeStep())
      found.trials.emplace_back(rows.getColumn(0).getString(), rows.getColumn(1).getInt64());
    if (!found.trials.empty()) mixed[metric.name] = std::move(found);
  }
  std::vector<MixedSplits> all;
  for (auto& [name, splits] : mixed) all.push_back(std::move(splits));
  return all;
}

}  // namespace rethink
