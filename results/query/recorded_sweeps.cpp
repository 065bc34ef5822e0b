#include "results/query/recorded_sweeps.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <map>
#include <unordered_map>

#include "core/json.h"
#include "results/database/schema.h"
#include "results/database/statement.h"

namespace rethink {
namespace {

/// Whether the database has each file of a sweep in its present form, and no other file.
bool knows_files(Store& store, const std::filesystem::path& folder) {
  SQLite::Database& database = store.database();
  if (!database.tableExists("sweep_file")) return false;  // an older format
  std::map<std::string, FileStamp> known;
  SQLite::Statement rows(database, "SELECT name, bytes, changed FROM sweep_file");
  while (rows.executeStep())
    known[rows.getColumn(0)] = {rows.getColumn(1).getInt64(), rows.getColumn(2).getInt64()};
  std::map<std::string, FileStamp> now;
  for (const std::filesystem::path& path : sweep_file_paths(folder))
    now[path.filename().string()] = stamp_of(path);
  return now == known;
}

}  // namespace

std::vector<Sweep> recorded_sweeps(Store& store, const std::filesystem::path& folder) {
  if (!knows_files(store, folder)) {
    store.database().exec(temporary_sweep_tables());
    for (const Sweep& sweep : read_sweeps(folder)) store.put_sweep(sweep);
  }
  std::vector<Sweep> sweeps;
  SQLite::Statement files(store.database(),
                          "SELECT sweep, profile, choice, source, told, name FROM sweep_file ORDER "
                          "BY sweep, profile, choice, source");
  while (files.executeStep()) {
    SweepFile file;
    file.sweep = files.getColumn(0).getString();
    file.profile = files.getColumn(1).getString();
    file.choice = files.getColumn(2).getString();
    file.source = files.getColumn(3).getString();
    file.with = Json::parse(files.getColumn(4).getString()).get<std::vector<std::string>>();
    file.path = folder / "sweeps" / files.getColumn(5).getString();
    if (sweeps.empty() || sweeps.back().sweep != file.sweep ||
        sweeps.back().profile != file.profile)
      sweeps.push_back({file.sweep, file.profile, {}, {}, {}});
    sweeps.back().files.push_back(std::move(file));
  }
  return sweeps;
}

SweepStates states_of_sweep(Store& store, const Sweep& sweep) {
  SweepStates found;
  std::vector<std::string> files;  // empty: all
  SQLite::Statement all = statement_of(
      store.database(), "SELECT count(*) FROM sweep_file WHERE sweep = ? AND profile = ?",
      sweep.sweep, sweep.profile);
  all.executeStep();
  if (static_cast<size_t>(all.getColumn(0).getInt64()) > sweep.files.size()) {
    for (const SweepFile& file : sweep.files) files.push_back(file.path.filename().string());
  }
  std::unordered_map<std::string, TrialState> states;
  SQLite::Statement rows = statement_of(
      store.database(),
      "SELECT s.trial, (SELECT t.state FROM trial t WHERE t.id = s.trial) FROM sweep_trial s WHERE "
      "s.sweep = ?1 AND s.profile = ?2 AND (?3 = '[]' OR EXISTS (SELECT 1 FROM json_each(?3) j "
      "JOIN sweep_file_trial f ON f.file = j.value WHERE f.trial = s.trial)) ORDER BY s.position",
      sweep.sweep, sweep.profile, files);
  while (rows.executeStep()) {
    const std::string trial = rows.getColumn(0);
    const auto [place, is_new] = states.try_emplace(trial, TrialState::waiting);
    if (!is_new) continue;
    if (!rows.isColumnNull(1)) place->second = state_at(rows, 1);
    if (rows.isColumnNull(1)) ++found.not_started;
    found.trials.emplace_back(trial, place->second);
    found.counts[place->second]++;
  }
  for (const SweepFile& file : sweep.files) {
    TrialCounts& counts = found.of_files.emplace_back();
    if (sweep.files.size() == 1) {
      counts = found.counts;
      continue;
    }
    for (const std::string& trial :
         texts_of(store.database(), "SELECT trial FROM sweep_file_trial WHERE file = ?",
                  file.path.filename().string()))
      counts[states.at(trial)]++;
  }
  return found;
}

std::vector<SweepMember> members_of_sweep(Store& store, const Sweep& sweep,
                                          const std::vector<std::string>& trials) {
  std::vector<SweepMember> members;
  SQLite::Statement rows = statement_of(
      store.database(),
      "SELECT trial, stage, labels FROM (SELECT s.trial, s.stage, s.labels, min(s.position) AS "
      "position FROM json_each(?3) j JOIN sweep_trial s ON s.trial = j.value WHERE s.sweep = ?1 "
      "AND s.profile = ?2 GROUP BY s.trial) ORDER BY position",
      sweep.sweep, sweep.profile, trials);
  while (rows.executeStep()) {
    members.push_back(
        {rows.getColumn(0), rows.getColumn(1), sweep.profile,
         Json::parse(rows.getColumn(2).getString()).get<std::map<std::string, std::string>>()});
  }
  return members;
}

}  // namespace rethink
