#include "results/query/recorded_sweeps.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <map>

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

/// The names of the sweep's files; none if `sweep` has all files of its name and profile.
std::vector<std::string> files_of(Store& store, const Sweep& sweep) {
  SQLite::Statement all = statement_of(
      store.database(), "SELECT count(*) FROM sweep_file WHERE sweep = ? AND profile = ?",
      sweep.sweep, sweep.profile);
  all.executeStep();
  std::vector<std::string> files;
  if (static_cast<size_t>(all.getColumn(0).getInt64()) > sweep.files.size()) {
    for (const SweepFile& file : sweep.files) files.push_back(file.path.filename().string());
  }
  return files;
}

/// SQL for whether row `s` of sweep_trial is of sweep ?1, profile ?2 and one of the files ?3.
constexpr const char* kOfSweep =
    "s.sweep = ?1 AND s.profile = ?2 AND (?3 = '[]' OR EXISTS(SELECT 1 FROM json_each(?3) j JOIN "
    "sweep_file_trial f ON f.file = j.value WHERE f.trial = s.trial))";

/// SQL for the state of the trial of `row`; NULL for a trial that no run has prepared.
std::string state_of(const char* row) {
  return fmt::format("(SELECT t.state FROM trial t WHERE t.id = {}.trial)", row);
}

TrialState state_or_waiting(SQLite::Statement& row) {
  return row.isColumnNull(0) ? TrialState::waiting : state_at(row, 0);
}

TrialCounts counts_of_file(Store& store, const SweepFile& file) {
  SQLite::Statement rows = statement_of(
      store.database(),
      fmt::format("SELECT {} AS state, count(*) FROM sweep_file_trial f WHERE f.file = ? GROUP BY "
                  "state",
                  state_of("f")),
      file.path.filename().string());
  TrialCounts counts;
  while (rows.executeStep()) counts[state_or_waiting(rows)] += rows.getColumn(1).getInt64();
  return counts;
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

SweepStates states_of_sweep(Store& store, const Sweep& sweep, const std::set<TrialState>& listed) {
  std::vector<std::string> words;
  for (const TrialState state : listed) words.emplace_back(to_text(state));
  SweepStates found;
  SQLite::Statement rows = statement_of(
      store.database(),
      fmt::format("SELECT state, count(*), iif(?4 = '[]' OR coalesce(state, ?5) IN (SELECT value "
                  "FROM json_each(?4)), json_group_array(trial), NULL) FROM (SELECT s.trial, {} AS "
                  "state FROM sweep_trial s WHERE {} AND NOT EXISTS(SELECT 1 FROM sweep_trial e "
                  "WHERE e.trial = s.trial AND e.sweep = s.sweep AND e.profile = s.profile AND "
                  "e.position < s.position)) GROUP BY state",
                  state_of("s"), kOfSweep),
      sweep.sweep, sweep.profile, files_of(store, sweep), words, TrialState::waiting);
  while (rows.executeStep()) {
    const TrialState state = state_or_waiting(rows);
    const int64_t trials = rows.getColumn(1).getInt64();
    found.counts[state] += trials;
    found.trials += static_cast<size_t>(trials);
    if (rows.isColumnNull(0)) found.not_started = static_cast<size_t>(trials);
    if (rows.isColumnNull(2)) continue;
    for (const Json& trial : Json::parse(rows.getColumn(2).getString()))
      found.listed.emplace(trial.get<std::string>(), state);
  }
  for (const SweepFile& file : sweep.files)
    found.of_files.push_back(sweep.files.size() == 1 ? found.counts : counts_of_file(store, file));
  return found;
}

std::vector<SweepMember> members_of_sweep(Store& store, const Sweep& sweep,
                                          const std::vector<std::string>& trials) {
  std::vector<SweepMember> members;
  SQLite::Statement rows = statement_of(
      store.database(),
      fmt::format("SELECT trial, stage, labels FROM (SELECT s.trial, s.stage, s.labels, "
                  "min(s.position) AS position FROM json_each(?4) j JOIN sweep_trial s ON s.trial "
                  "= j.value WHERE {} GROUP BY s.trial) ORDER BY position",
                  kOfSweep),
      sweep.sweep, sweep.profile, files_of(store, sweep), trials);
  while (rows.executeStep()) {
    members.push_back(
        {rows.getColumn(0), rows.getColumn(1), sweep.profile,
         Json::parse(rows.getColumn(2).getString()).get<std::map<std::string, std::string>>()});
  }
  return members;
}

}  // namespace rethink
