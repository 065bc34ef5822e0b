// What the functions of a short query take together, and what they leave out.
#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/error.h"
#include "core/json.h"
#include "results/database/counted_state.h"
#include "results/query/repeated_seeds.h"
#include "results/query/run_query.h"
#include "results/query/settings.h"
#include "results/query/short_query.h"

namespace rethink {
namespace {

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
  SQLite::Statement row(store.database(),
                        "SELECT t.data, t.imported, t.revisions, (SELECT json_group_object(slot, "
                        "ids) FROM (SELECT slot, group_concat(need, ' ') AS ids FROM (SELECT slot, "
                        "need FROM trial_need WHERE trial = t.id ORDER BY slot, position) GROUP BY "
                        "slot)) FROM trial t WHERE t.id = ?");
  row.bind(1, trial);
  std::vector<Json> parts;
  if (row.executeStep()) {
    for (int i = 0; i < row.getColumnCount(); ++i)
      parts.push_back(Json::parse(row.getColumn(i).getString()));
  }
  return parts;
}

std::vector<std::string> differences_of(Store& store, const std::string& first,
                                        const std::string& second) {
  const std::vector<Json> one = identity_parts(store, first), two = identity_parts(store, second);
  const char* const kWhat[] = {"files of data", "imported weights of", "revisions of",
                               "trials needed as"};
  std::vector<std::string> all;
  for (size_t i = 0; i < std::min(one.size(), two.size()); ++i)
    add_differences(kWhat[i], one[i], two[i], all);
  return all;
}

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

std::optional<RepeatedSeeds> repeated_seeds(Store& store, const ShortQuery& query) {
  const ShortQuerySql sql(store, query);
  if (sql.has_value().empty()) return std::nullopt;
  std::string columns = ", t.seed AS _seed, t.configuration AS _configuration";
  std::string parts = sql.groups() + (sql.groups().empty() ? "" : ", ");
  parts += "c._seed, c._job, c._configuration";
  // What pooled_keys() names beside the configuration parts trials already.
  size_t number = 0;
  for (const Setting& setting : settings_of_trials(store)) {
    if (setting.of_configuration) continue;
    columns += fmt::format(", {} AS k{}", setting.sql, number);
    parts += fmt::format(", c.k{}", number++);
  }
  SQLite::Statement rows(
      store.database(),
      fmt::format("{}SELECT c._seed, json_group_array(c.trial) FROM (SELECT * FROM chosen c WHERE "
                  "{} AND c._seed IS NOT NULL ORDER BY c.trial) c GROUP BY {} HAVING count(*) > 1 "
                  "ORDER BY c._seed, min(c.trial)",
                  sql.chosen(columns), sql.has_value(), parts));
  std::optional<RepeatedSeeds> found;
  while (rows.executeStep()) {
    if (!found) {
      found.emplace();
      found->seed = rows.getColumn(0).getInt64();
      found->trials = Json::parse(rows.getColumn(1).getString()).get<std::vector<std::string>>();
      found->differences = differences_of(store, found->trials.at(0), found->trials.at(1));
    }
    ++found->count;
  }
  return found;
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

TrialCounts kept_results(Store& store, const ShortQuery& query) {
  const ShortQuerySql sql(store, query);
  if (sql.has_metric().empty()) return {};
  SQLite::Statement rows(
      store.database(),
      fmt::format(
          "{}SELECT c._kept, count(DISTINCT c.trial) FROM chosen c WHERE c._kept IS NOT "
          "NULL AND {} GROUP BY 1",
          sql.chosen(fmt::format(", iif({}, t.state, NULL) AS _kept", has_kept_result_sql())),
          sql.has_metric()));
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

std::vector<MixedSplits> mixed_splits(Store& store, const ShortQuery& query) {
  const ShortQuerySql sql(store, query);
  std::map<std::string, MixedSplits> mixed;  // by metric: several functions may take one
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
