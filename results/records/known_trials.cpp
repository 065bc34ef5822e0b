#include "results/records/known_trials.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include "core/json.h"
#include "results/database/sql_expressions.h"
#include "results/database/statement.h"

namespace rethink {

std::vector<DoneTrial> done_trials(Store& store, const std::string& job) {
  SQLite::Statement query =
      statement_of(store.database(),
                   "SELECT id, seed, configuration, data, imported, revisions "
                   "FROM trial WHERE job = ? AND state = ? ORDER BY id",
                   job, TrialState::done);
  std::vector<DoneTrial> found;
  while (query.executeStep()) {
    DoneTrial& trial = found.emplace_back();
    trial.id = query.getColumn(0).getString();
    if (!query.isColumnNull(1)) trial.seed = query.getColumn(1).getInt64();
    trial.configuration = query.getColumn(2).getString();
    trial.data = query.getColumn(3).getString();
    trial.imported = query.getColumn(4).getString();
    trial.revisions = query.getColumn(5).getString();
  }
  return found;
}

std::set<std::string> attempted_trials(Store& store) {
  const std::vector<std::string> trials =
      texts_of(store.database(), "SELECT DISTINCT trial FROM attempt ORDER BY trial");
  return {trials.begin(), trials.end()};
}

std::map<std::string, std::map<std::string, std::vector<std::string>>> needs_of_done(
    Store& store, const std::string& job) {
  SQLite::Statement query = statement_of(
      store.database(),
      "SELECT n.trial, n.slot, n.need FROM trial t JOIN trial_need n ON n.trial = t.id "
      "WHERE t.job = ? AND t.state = ? ORDER BY n.trial, n.slot, n.position",
      job, TrialState::done);
  std::map<std::string, std::map<std::string, std::vector<std::string>>> found;
  while (query.executeStep())
    found[query.getColumn(0)][query.getColumn(1)].push_back(query.getColumn(2).getString());
  return found;
}

std::map<std::string, std::string> configurations_of(Store& store,
                                                     const std::vector<std::string>& trials) {
  SQLite::Statement query = statement_of(
      store.database(),
      "SELECT t.id, t.configuration FROM json_each(?) j JOIN trial t ON t.id = j.value", trials);
  std::map<std::string, std::string> found;
  while (query.executeStep())
    found[query.getColumn(0).getString()] = query.getColumn(1).getString();
  return found;
}

std::vector<std::string> tested_at_the_end(Store& store, const std::vector<std::string>& trials) {
  SQLite::Statement query = statement_of(
      store.database(),
      "SELECT id FROM (SELECT j.value AS id, "
      "(SELECT count(*) FROM metric WHERE trial = j.value AND split = 'test' AND name = 'score') "
      "AS tests, "
      "(SELECT count(*) FROM metric WHERE trial = j.value AND split = 'dev' AND name = 'score') "
      "AS devs "
      "FROM json_each(?) j JOIN trial_record t ON t.id = j.value WHERE t.told = ?) "
      "WHERE tests > 0 AND tests < devs ORDER BY id",
      trials, TrialState::done);
  std::vector<std::string> found;
  while (query.executeStep()) found.push_back(query.getColumn(0).getString());
  return found;
}

std::map<std::string, std::string> recorded_data(Store& store) {
  SQLite::Statement query(store.database(),
                          "SELECT j.key || coalesce('=' || (configuration ->> ('$.' || j.key)), "
                          "'') AS name, min(j.value), max(j.value) "
                          "FROM trial, json_each(trial.data) j GROUP BY name");
  std::map<std::string, std::string> hashes;
  while (query.executeStep()) {
    const std::string first = query.getColumn(1), last = query.getColumn(2);
    hashes[query.getColumn(0).getString()] = first == last ? first : "";
  }
  return hashes;
}

TrialCosts trial_costs(Store& store, const std::vector<std::string>& trials) {
  SQLite::Statement query = statement_of(
      store.database(),
      "SELECT count(seconds), sum(seconds), sum(bytes), max(checkpoint), "
      "ifnull(sum(evaluation) / nullif(sum(evaluation) + sum(training), 0), 0) FROM (SELECT "
      "(SELECT sum(seconds) FROM attempt WHERE trial = j.value) AS seconds, "
      "(SELECT sum(bytes) FROM artifact WHERE trial = j.value) AS bytes, "
      "(SELECT max(body ->> 'bytes') FROM event WHERE trial = j.value AND event = 'checkpoint') "
      "AS checkpoint, "
      "(SELECT max(value) FROM measurement WHERE trial = j.value AND name = 'evaluation_s') AS "
      "evaluation, "
      "(SELECT max(value) FROM measurement WHERE trial = j.value AND name = 'training_s') AS "
      "training FROM json_each(?) j) WHERE seconds IS NOT NULL",
      trials);
  query.executeStep();
  TrialCosts costs;
  costs.trials = static_cast<size_t>(query.getColumn(0).getInt64());
  costs.seconds = query.getColumn(1).getDouble();
  costs.bytes = query.getColumn(2).getDouble();
  costs.checkpoint_bytes = query.getColumn(3).getDouble();
  costs.evaluation_share = query.getColumn(4).getDouble();
  return costs;
}

std::optional<MeasuredRate> measured_rate(Store& store) {
  SQLite::Statement query = statement_of(
      store.database(),
      "SELECT sum(f.value) / sum(s.value), max(f.value) FROM measurement f JOIN measurement s ON "
      "s.trial = "
      "f.trial AND s.name = 'training_s' JOIN trial_record t ON t.id = f.trial WHERE f.name = "
      "'flops' AND f.value > 0 AND s.value > 0 AND t.told = ?",
      TrialState::done);
  query.executeStep();
  if (query.isColumnNull(0)) return std::nullopt;
  return MeasuredRate{query.getColumn(0).getDouble(), query.getColumn(1).getDouble()};
}

uint64_t largest_checkpoint(Store& store) {
  SQLite::Statement query(store.database(),
                          "SELECT max(body ->> 'bytes') FROM event WHERE event = 'checkpoint'");
  query.executeStep();
  return static_cast<uint64_t>(query.getColumn(0).getInt64());
}

std::set<std::string> trials_of_stage(Store& store, const std::string& stage,
                                      const std::string& sweep) {
  SQLite::Statement query = statement_of(
      store.database(),
      "SELECT trial FROM sweep_trial WHERE stage = ?1 AND (?2 = '' OR sweep = ?2)", stage, sweep);
  std::set<std::string> found;
  while (query.executeStep()) found.insert(query.getColumn(0).getString());
  return found;
}

std::vector<IncompleteTrial> incomplete_trials(Store& store, int most) {
  SQLite::Statement query =
      statement_of(store.database(),
                   fmt::format("SELECT min(id), job, configuration FROM trial WHERE state NOT IN "
                               "({}) GROUP BY job, configuration LIMIT ?",
                               sql_list(is_final)),
                   most);
  std::vector<IncompleteTrial> trials;
  while (query.executeStep()) {
    trials.push_back(
        {query.getColumn(0), query.getColumn(1), Json::parse(query.getColumn(2).getString())});
  }
  return trials;
}

StoreSummary summary_of(Store& store) {
  SQLite::Statement query = statement_of(
      store.database(),
      "SELECT (SELECT count(*) FROM trial WHERE state = ?), coalesce((SELECT max(facts ->> "
      "'$.at') FROM attempt WHERE outcome = ?), '')",
      TrialState::done, AttemptOutcome::done);
  query.executeStep();
  return {query.getColumn(0).getInt64(), query.getColumn(1).getString()};
}

}  // namespace rethink
