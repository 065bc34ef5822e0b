#include "results/folders/outside_scores.h"

#include <fmt/format.h>

#include "core/format/stored_json.h"
#include "core/json.h"
#include "core/system/file.h"
#include "core/system/log.h"
#include "results/folders/foreign_parts.h"
#include "results/folders/stored_trial.h"
#include "results/store/store_state.h"

namespace rethink {
namespace {

std::filesystem::path file_of(const std::filesystem::path& trial_folder) {
  return trial_folder / kScoresFile;
}

Json to_json(const OutsideScore& score) {
  return {{"name", score.name},
          {"value", score.value},
          {"from", score.from},
          {"date", score.date},
          {"at", score.at}};
}

/// A metric of step 0, which belongs to no attempt.
void put_metric(Store& store, const std::string& trial, const OutsideScore& score) {
  SQLite::Statement put(store.database(),
                        "INSERT INTO metric(trial, split, name, step, value) VALUES(?,?,?,0,?)");
  put.bind(1, trial);
  put.bind(2, kImportedSplit);
  put.bind(3, score.name);
  put.bind(4, score.value);
  run_once(store, put);
}

void put_event(Store& store, const std::string& trial, int64_t line, const OutsideScore& score) {
  SQLite::Statement put(
      store.database(),
      "INSERT INTO event(trial, attempt, line, event, level, text, body) VALUES(?,0,?,?,NULL,?,?)");
  put.bind(1, trial);
  put.bind(2, line);
  put.bind(3, kImportedSplit);
  put.bind(4, fmt::format("{} {} from {}", score.name, shortest(score.value), score.source()));
  put.bind(5, canonical_json(to_json(score)));
  run_once(store, put);
}

}  // namespace

bool OutsideScore::repeats(const OutsideScore& other) const {
  return name == other.name && value == other.value && from == other.from && date == other.date;
}

bool has_outside_scores(const std::filesystem::path& trial_folder) {
  return std::filesystem::exists(file_of(trial_folder));
}

std::optional<std::vector<OutsideScore>> read_outside_scores(
    const std::filesystem::path& trial_folder) {
  const std::filesystem::path file = file_of(trial_folder);
  if (!has_outside_scores(trial_folder)) return std::vector<OutsideScore>{};
  static const JsonShape kScores =
      object_with({{"scores", list_of(object_with({{"name", any_text()},
                                                   {"value", any_number()},
                                                   {"from", any_text()},
                                                   {"date", any_text()},
                                                   {"at", any_text()}}))}});
  const StoredJson stored = read_stored_json(file, kScores);
  if (!stored.is_sound()) return std::nullopt;
  std::vector<OutsideScore> scores;
  for (const Json& score : stored.object.at("scores")) {
    scores.push_back(
        {score.at("name"), score.at("value"), score.at("from"), score.at("date"), score.at("at")});
  }
  return scores;
}

std::map<std::string, OutsideScore> newest_scores(const std::vector<OutsideScore>& scores) {
  std::map<std::string, OutsideScore> newest;
  for (const OutsideScore& score : scores) newest[score.name] = score;
  return newest;
}

void write_outside_scores(const std::filesystem::path& trial_folder,
                          const std::vector<OutsideScore>& scores) {
  const std::string linked = linked_part(trial_folder);
  if (!linked.empty()) throw ConfigError(linked);
  Json all = Json::array();
  for (const OutsideScore& score : scores) all.push_back(to_json(score));
  write_file_durably(file_of(trial_folder), stored_text({{"scores", all}}));
}

bool has_rows_of_scores(Store& store, const std::string& trial,
                        const std::vector<OutsideScore>& scores) {
  SQLite::Statement rows(
      store.database(),
      "SELECT body FROM event WHERE trial = ? AND attempt = 0 AND event = ? ORDER BY line");
  rows.bind(1, trial);
  rows.bind(2, kImportedSplit);
  for (const OutsideScore& score : scores) {
    if (!rows.executeStep() || rows.getColumn(0).getString() != canonical_json(to_json(score)))
      return false;
  }
  return !rows.executeStep();
}

void put_outside_scores(Store& store, const std::filesystem::path& trial_folder) {
  const std::string trial = trial_folder.filename();
  const auto scores = read_outside_scores(trial_folder);
  if (!scores) {
    log_warning(
        fmt::format("{} is damaged: the scores that were imported for this trial are left "
                    "out; remove the file and import them again",
                    file_of(trial_folder).string()));
  }
  WriteScope scope(store);
  for (const char* sql : {"DELETE FROM metric WHERE trial = ?1 AND split = ?2",
                          "DELETE FROM event WHERE trial = ?1 AND attempt = 0 AND event = ?2"}) {
    SQLite::Statement drop(store.database(), sql);
    drop.bind(1, trial);
    drop.bind(2, kImportedSplit);
    run_once(store, drop);
  }
  const std::vector<OutsideScore> found = scores.value_or(std::vector<OutsideScore>{});
  for (const auto& [name, score] : newest_scores(found)) put_metric(store, trial, score);
  int64_t line = 0;
  for (const OutsideScore& score : found) put_event(store, trial, ++line, score);
  scope.done();
}

}  // namespace rethink
