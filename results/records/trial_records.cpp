#include "results/records/trial_records.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "core/error.h"
#include "core/json.h"
#include "core/store_files/outside_code.h"
#include "core/store_files/result_file.h"
#include "core/store_files/resume_proof.h"
#include "core/store_files/trial_folder.h"
#include "results/database/sql_expressions.h"
#include "results/database/statement.h"
#include "results/folders/outside_scores.h"
#include "results/folders/stored_trial.h"
#include "results/records/environments.h"

namespace rethink {
namespace {

void read_trials(Store& store, const std::vector<std::string>& trials, TrialRecords& records) {
  SQLite::Statement query = statement_of(
      store.database(),
      "SELECT t.id, t.counted, t.seed, coalesce((SELECT outcome FROM attempt a WHERE a.trial = "
      "t.id ORDER BY number DESC LIMIT 1), ''), coalesce((SELECT value FROM environment e WHERE "
      "e.trial = t.id AND e.name = 'device' ORDER BY attempt DESC LIMIT 1), ''), t.repetition, "
      "coalesce((SELECT min(facts ->> 'at') FROM attempt a WHERE a.trial = t.id), '') FROM "
      "json_each(?) j JOIN counted_trial t ON t.id = j.value",
      trials);
  while (query.executeStep()) {
    TrialRecord& record = records[query.getColumn(0)];
    record.state = state_at(query, 1);
    if (!query.isColumnNull(2)) record.seed = query.getColumn(2).getInt64();
    if (const std::string outcome = query.getColumn(3); !outcome.empty())
      record.outcome = attempt_outcome_named(outcome);
    record.device = query.getColumn(4).getString();
    if (!query.isColumnNull(5)) record.repetition = state_at(query, 5);
    record.begun = query.getColumn(6).getString();
  }
}

/// Reads, for trials whose program resumed from a checkpoint, whether a selftest proved that the
/// resume is exact.
void read_resume_proofs(Store& store, const std::filesystem::path& folder,
                        const std::vector<std::string>& trials, TrialRecords& records) {
  SQLite::Statement query = statement_of(
      store.database(),
      fmt::format(
          "SELECT a.trial, e.value FROM json_each(?1) j JOIN attempt a ON a.trial = j.value AND "
          "a.outcome IN ({}) AND a.resume_step > 0 JOIN environment e ON e.trial = a.trial AND "
          "e.attempt = a.number AND e.name = ?2",
          sql_list({AttemptOutcome::done, AttemptOutcome::diverged})),
      trials, kResumeProofFact);
  std::map<std::string, bool> known;
  while (query.executeStep()) {
    const std::string proof = query.getColumn(1);
    const auto [found, is_new] = known.try_emplace(proof);
    if (is_new) found->second = has_resume_proof(folder, proof);
    records[query.getColumn(0)].resumed_without_proof |= !found->second;
  }
}

void read_outside_code(Store& store, const std::vector<std::string>& trials,
                       TrialRecords& records) {
  SQLite::Statement query = statement_of(
      store.database(),
      fmt::format(
          "SELECT a.trial, e.value FROM json_each(?1) j JOIN attempt a ON a.trial = j.value AND "
          "a.outcome IN ({}) JOIN environment e ON e.trial = a.trial AND e.attempt = a.number AND "
          "e.name = ?2",
          sql_list({AttemptOutcome::done, AttemptOutcome::diverged})),
      trials, kOutsideCodeFact);
  while (query.executeStep())
    records[query.getColumn(0)].outside_code = query.getColumn(1).getString();
}

void read_other_data(Store& store, const std::vector<std::string>& trials,
                     const std::map<std::string, std::string>& published, TrialRecords& records) {
  SQLite::Statement query =
      statement_of(store.database(),
                   "SELECT t.id, f.key FROM json_each(?1) j JOIN trial t ON t.id = j.value "
                   "JOIN json_each(t.data) f JOIN json_each(?2) p ON p.key = f.key "
                   "WHERE f.value != p.value ORDER BY t.id, f.key",
                   trials, Json(published).dump());
  while (query.executeStep()) records[query.getColumn(0)].other_data.push_back(query.getColumn(1));
}

void read_metric(Store& store, const std::vector<std::string>& trials, const ValueName& metric,
                 TrialRecords& records) {
  const std::map<std::string, double> values = store.last_values(trials, metric.split, metric.name);
  for (const auto& [trial, value] : values) records[trial].values[metric.text()] = value;
  std::vector<std::string> without;
  for (const std::string& trial : trials) {
    if (!values.count(trial)) without.push_back(trial);
  }
  if (without.empty()) return;
  // A metric with points has no value if its final value is not finite.
  SQLite::Statement query =
      statement_of(store.database(),
                   "SELECT j.value FROM json_each(?1) j WHERE EXISTS(SELECT 1 FROM metric m "
                   "WHERE m.trial = j.value AND m.split = ?2 AND m.name = ?3)",
                   without, metric.split, curve_of_tail(metric.name).value_or(metric.name));
  while (query.executeStep()) records[query.getColumn(0)].not_finite.insert(metric.text());
}

/// A trial without one of the parts has no mean.
void read_mean(Store& store, const std::vector<std::string>& trials, const ValueName& mean,
               TrialRecords& records) {
  const std::vector<ValueName> parts = parts_of(mean);
  for (const ValueName& part : parts) read_metric(store, trials, part, records);
  if (parts.size() == 1) return;
  for (auto& [trial, record] : records) {
    double sum = 0.0;
    size_t found = 0;
    for (const ValueName& part : parts) {
      const auto value = record.values.find(part.text());
      if (value != record.values.end()) sum += value->second, ++found;
      if (record.not_finite.count(part.text())) record.not_finite.insert(mean.text());
    }
    if (found == parts.size()) record.values[mean.text()] = sum / static_cast<double>(found);
  }
}

/// Reads who reported imported scores, and when.
void read_sources(Store& store, const std::vector<std::string>& trials, TrialRecords& records) {
  SQLite::Statement query = statement_of(
      store.database(),
      "SELECT e.trial, e.body ->> 'name', e.body ->> 'from' || ', ' || (e.body ->> 'date') FROM "
      "json_each(?1) j JOIN event e ON e.trial = j.value AND e.attempt = 0 AND e.event = ?2 "
      "ORDER BY e.trial, e.line",
      trials, kImportedSplit);
  while (query.executeStep()) {
    const ValueName score{kImportedSplit, query.getColumn(1)};
    records[query.getColumn(0)].sources[score.text()] = query.getColumn(2).getString();
  }
}

void read_measurements(Store& store, const std::vector<std::string>& trials,
                       const std::vector<std::string>& names, TrialRecords& records) {
  SQLite::Statement query =
      statement_of(store.database(),
                   "SELECT m.trial, m.name, m.value FROM json_each(?1) j JOIN measurement m "
                   "ON m.trial = j.value WHERE m.name IN (SELECT value FROM json_each(?2)) "
                   "AND m.value IS NOT NULL ORDER BY j.rowid, m.name, m.step",
                   trials, names);
  while (query.executeStep()) {
    records[query.getColumn(0)].measurements[query.getColumn(1)] = query.getColumn(2).getDouble();
  }
}

void read_fact(Store& store, const std::vector<std::string>& trials, const ValueName& fact,
               TrialRecords& records) {
  SQLite::Statement query = statement_of(
      store.database(),
      "SELECT a.trial, f.atom FROM json_each(?1) j JOIN artifact a ON a.trial = j.value AND "
      "a.name = ?2 JOIN json_each(json_set(a.facts, '$.bytes', a.bytes)) f ON f.key = ?3 "
      "WHERE f.type IN ('integer', 'real')",
      trials, fact.split, fact.name);
  while (query.executeStep())
    records[query.getColumn(0)].values[fact.text()] = query.getColumn(1).getDouble();
}

/// A missing or damaged file costs its trial the items, but does not stop the table. `folder`: the
/// trial's; the problem does not name it, since equal problems of several trials are reported once.
void read_items(const std::filesystem::path& folder, const std::string& file,
                const std::string& sha256, const std::vector<std::string>& splits,
                TrialRecord& record) {
  const auto note = [&](const std::string& problem) {
    record.items_problem = without_folder(problem, folder) +
                           "; rm of the trial and a new run of its sweep make them again";
  };
  try {
    const std::string damage = artifact_damage(folder / file, sha256);
    if (!damage.empty()) return note(damage);
    for (const std::string& split : splits) {
      if (std::optional<ItemOutcomes> items = read_item_outcomes(folder / file, split))
        record.items[split] = std::move(*items);
    }
  } catch (const ConfigError& error) {
    note(error.what());
  } catch (const MachineError& error) {
    note(error.what());
  }
}

void read_all_items(Store& store, const std::filesystem::path& folder,
                    const std::vector<std::string>& trials, const std::vector<std::string>& splits,
                    TrialRecords& records) {
  SQLite::Statement query = statement_of(
      store.database(),
      "SELECT a.trial, a.path, a.sha256 FROM json_each(?) j JOIN artifact a ON a.trial = j.value "
      "WHERE a.kind = 'predictions'",
      trials);
  const bool is_snapshot = std::filesystem::is_regular_file(folder);
  while (query.executeStep()) {
    const std::string trial = query.getColumn(0);
    if (is_snapshot) {
      records[trial].items_problem =
          "a snapshot is without the trials' predictions; give the store's folder";
      continue;
    }
    read_items(trial_folder(folder, trial), query.getColumn(1), query.getColumn(2), splits,
               records[trial]);
  }
}

void read_some(Store& store, const std::filesystem::path& folder,
               const std::vector<std::string>& trials, const WantedValues& wanted,
               TrialRecords& records) {
  read_trials(store, trials, records);
  for (auto& [trial, recorded] : read_environments(store, trials)) {
    records[trial].environment = std::move(recorded.facts);
    records[trial].inexact = std::move(recorded.inexact);
  }
  read_resume_proofs(store, folder, trials, records);
  read_outside_code(store, trials, records);
  for (const ValueName& metric : wanted.metrics) read_mean(store, trials, metric, records);
  const auto is_imported = [](const ValueName& metric) { return metric.split == kImportedSplit; };
  if (std::ranges::any_of(wanted.metrics, is_imported)) read_sources(store, trials, records);
  for (const ValueName& fact : wanted.facts) read_fact(store, trials, fact, records);
  if (!wanted.item_splits.empty())
    read_all_items(store, folder, trials, wanted.item_splits, records);
  if (!wanted.published_data.empty())
    read_other_data(store, trials, wanted.published_data, records);
  if (!wanted.measurements.empty()) read_measurements(store, trials, wanted.measurements, records);
}

std::vector<std::string> trials_of(const Json& seeds) {
  std::vector<std::string> trials;
  for (const Json& seed : seeds) trials.push_back(seed.at("trial"));
  return trials;
}

/// A trial that chose among others records its choice in its event "selected" and in its
/// result.json: "seeds": [{"seed", "trial"}], and the number of "tied" candidates. Older stores
/// have only the file, or the event without "tied". Snapshots have only the event.
void read_choice(Store& store, const std::filesystem::path& folder, const std::string& trial,
                 TrialRecord& record) {
  SQLite::Statement query =
      statement_of(store.database(),
                   "SELECT body FROM event WHERE trial = ? AND event = 'selected' "
                   "ORDER BY attempt DESC, line DESC LIMIT 1",
                   trial);
  Json choice = Json::object();
  if (query.executeStep()) choice = Json::parse(query.getColumn(0).getString());
  const std::filesystem::path file = trial_folder(folder, trial) / kResultFile;
  if (!choice.contains("tied")) {
    if (const auto result = sound_result(file)) choice.update(result->value("selected", choice));
  }
  record.winners = trials_of(choice.value("seeds", Json::array()));
  record.tied = choice.value("tied", size_t{0});
}

}  // namespace

std::vector<ValueName> parts_of(const ValueName& value) {
  std::vector<ValueName> parts;
  for (const auto split : std::views::split(value.split, '+'))
    parts.push_back({std::string(split.begin(), split.end()), value.name});
  return parts;
}

TrialRecords read_trial_records(Store& store, const std::filesystem::path& folder,
                                const std::vector<std::string>& trials,
                                const WantedValues& wanted) {
  TrialRecords records;
  read_some(store, folder, trials, wanted, records);
  std::vector<std::string> chosen;
  for (auto& [trial, record] : records) {
    if (record.seed || record.state != TrialState::done) continue;
    read_choice(store, folder, trial, record);
    chosen.insert(chosen.end(), record.winners.begin(), record.winners.end());
  }
  if (!chosen.empty()) read_some(store, folder, chosen, wanted, records);
  return records;
}

std::map<std::string, std::vector<std::pair<int64_t, double>>> read_curves(
    Store& store, const std::vector<std::string>& trials, const ValueName& metric) {
  SQLite::Statement query = statement_of(
      store.database(),
      "SELECT m.trial, m.step, m.value FROM json_each(?1) j JOIN metric m ON m.trial = j.value "
      "AND m.split = ?2 AND m.name = ?3 WHERE m.value IS NOT NULL ORDER BY m.trial, m.step",
      trials, metric.split, metric.name);
  std::map<std::string, std::vector<std::pair<int64_t, double>>> curves;
  while (query.executeStep()) {
    curves[query.getColumn(0)].emplace_back(query.getColumn(1).getInt64(),
                                            query.getColumn(2).getDouble());
  }
  return curves;
}

std::map<std::string, ArtifactFile> artifact_files(Store& store,
                                                   const std::filesystem::path& folder,
                                                   const std::vector<std::string>& trials,
                                                   const std::string& name) {
  if (std::filesystem::is_regular_file(folder)) {
    throw ConfigError("snapshot-given",
                      fmt::format("{} is a snapshot, without the trials' files; give the store's "
                                  "folder",
                                  folder.string()));
  }
  SQLite::Statement query =
      statement_of(store.database(),
                   "SELECT a.trial, a.path, a.sha256 FROM json_each(?1) j JOIN artifact a "
                   "ON a.trial = j.value WHERE a.name = ?2",
                   trials, name);
  std::map<std::string, ArtifactFile> files;
  while (query.executeStep()) {
    const std::string trial = query.getColumn(0);
    ArtifactFile& file = files[trial];
    file.path = trial_folder(folder, trial) / query.getColumn(1).getString();
    try {
      file.problem = artifact_problem(folder, file.path, query.getColumn(2));
    } catch (const MachineError& error) {
      file.problem = error.what();
    }
  }
  return files;
}

}  // namespace rethink
