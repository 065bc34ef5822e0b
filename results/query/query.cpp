#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/error.h"
#include "core/text.h"
#include "results/database/curve_tail.h"
#include "results/database/schema.h"
#include "results/query/run_query.h"
#include "results/query/short_query.h"

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

/// "mean" and "dev/mcc" of "mean(dev/mcc)"; no function: "" and the item.
std::pair<std::string, std::string> function_of(const std::string& item) {
  const size_t open = item.find('(');
  if (open == std::string::npos) return {"", item};
  if (item.back() != ')')
    throw ConfigError(fmt::format("--show: expected ')' at the end of '{}'", item));
  const std::string function = item.substr(0, open);
  if (!kFunctions.count(function)) {
    const std::vector<std::string> known(kFunctions.begin(), kFunctions.end());
    throw ConfigError(
        fmt::format("--show: unknown function '{}'{}; known: {}; SQL knows more (docs/store.md)",
                    function, did_you_mean(function, known), joined(known)));
  }
  return {function, item.substr(open + 1, item.size() - open - 2)};
}

}  // namespace

ShortQuerySql::ShortQuerySql(Store& store, const ShortQuery& query)
    : store_(store), query_(query), chosen_(store, query.where, query.by) {
  if (query_.show.size() > kMostListed)
    throw ConfigError(
        fmt::format("--show: got {} values, expected at most {}", query_.show.size(), kMostListed));
  for (const std::string& item : query_.show) columns_.push_back(column_of(item));
}

std::string ShortQuerySql::sql() {
  refuse_mixture();
  const bool is_said = std::ranges::count(query_.show, "diverged") > 0;
  if (!metrics_.empty() && !is_said) {
    SQLite::Statement diverged(
        store_.database(), chosen() + "SELECT 1 FROM chosen c WHERE c._state = 'diverged' LIMIT 1");
    if (diverged.executeStep()) columns_.push_back(column_of("diverged"));
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
  // As they were recorded. The table itself: a view may stand before it, without rowid (removed_rows.h).
  if (is_list) text += " ORDER BY (SELECT r.rowid FROM main.trial r WHERE r.id = c.trial)";
  return text;
}

/// SQLite would show an arbitrary trial's value beside what is made of all trials.
void ShortQuerySql::refuse_mixture() const {
  if (each_.empty() || together_.empty()) return;
  const std::string instead =
      each_is_name_ ? "group the trials with --by " + each_ : fmt::format("write mean({})", each_);
  throw ConfigError(
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
    if (item == "diverged") return "sum(c._state = 'diverged') AS diverged";
    return fmt::format("count({}) AS n", values_.empty() ? "*" : values_.back());
  }
  auto [function, inner] = function_of(item);
  if (function.empty() && chosen_.is_key(inner))
    return fmt::format("{} AS {}", chosen_.value(inner), sql_name(item));
  if (function.empty() && !query_.by.empty()) function = "mean";
  if (!function.empty()) return function_column(item, function, inner);
  const Value value = value_of(inner);
  if (each_.empty()) {
    each_ = item;
    each_is_name_ = value.is_name;
  }
  return fmt::format("{} AS {}", value.sql, sql_name(item));
}

std::string ShortQuerySql::function_column(const std::string& item, const std::string& function,
                                           const std::string& inner) {
  if (together_.empty()) together_ = item;
  Value value = value_of(inner);
  if (value.is_metric) {
    metrics_.push_back(value.sql);
    const char* counts = query_.takes_unfinished ? "c._state != 'diverged'" : "c._state = 'done'";
    value.sql = fmt::format("iif({}, {}, NULL)", counts, value.sql);
    if (!value.split.empty()) reported_.push_back({inner, value.sql, value.split});
  }
  if (value.is_name && function != "n") require_one_value(item, inner);
  const bool is_order = function == "min" || function == "max";
  if (value.is_name && is_order) value.sql = fmt::format("number_or_text({})", value.sql);
  if (value.is_name && !is_order && function != "n") require_numbers(item, inner, value.sql);
  values_.push_back(value.sql);
  return fmt::format("{}({}) AS {}", function == "n" ? "count" : function, value.sql,
                     sql_name(item));
}

/// A function takes one value of each trial.
void ShortQuerySql::require_one_value(const std::string& item, const std::string& name) {
  const auto several = chosen_.ambiguous(name);
  if (!several) return;
  throw ConfigError(
      fmt::format("--show: '{}' takes one value of each trial, and the sweeps of trial {} give it "
                  "several of {}: {}; choose a sweep with --where sweep=NAME, or group the trials "
                  "with --by {}",
                  item, several->trial, name, several->values, name));
}

/// Of text there is no mean.
void ShortQuerySql::require_numbers(const std::string& item, const std::string& name,
                                    const std::string& value) {
  SQLite::Statement text(store_.database(),
                         fmt::format("{0}SELECT {1} FROM chosen c WHERE "
                                     "typeof(number_or_text({1})) IN ('text', 'blob') LIMIT 1",
                                     chosen_.sql(), value));
  if (!text.executeStep()) return;
  throw ConfigError(fmt::format(
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

/// The final value of a metric; of a name without a split, that of the first split here that the
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

/// Which of these splits that is.
std::string ShortQuerySql::split_of(const std::string& name,
                                    const std::vector<std::string>& splits) const {
  std::string cases;
  for (const std::string& split : splits)
    cases +=
        fmt::format(" WHEN {} IS NOT NULL THEN {}", final_value(name, {split}), sql_text(split));
  return fmt::format("CASE{} END", cases);
}

/// "score": the reported split is test, or dev where there is no test.
std::vector<std::string> ShortQuerySql::splits_with(const std::string& name) {
  std::vector<std::string> splits;
  for (const char* split : {"test", "dev", "train"}) {
    if (any_trial_has(store_, {split, name})) splits.emplace_back(split);
  }
  return splits;
}

/// Whoever misspells a metric gets metrics to choose from too.
void ShortQuerySql::require_name(const std::string& value) {
  try {
    chosen_.value(value);
  } catch (const ConfigError&) {
    const std::vector<std::string> metrics = all_names(store_, "SELECT DISTINCT name FROM metric");
    const std::string meant = did_you_mean(value, metrics);
    if (meant.empty()) throw;
    throw UnknownName(value,
                      fmt::format("unknown name '{}'{}; metrics are: {}", value, meant,
                                  first_of(metrics, store_, "SELECT DISTINCT name FROM metric")));
  }
}

std::string short_query_sql(Store& store, const ShortQuery& query) {
  return ShortQuerySql(store, query).sql();
}

}  // namespace rethink
