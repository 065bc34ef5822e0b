// Opens, writes and reads the index. Each reading function runs one statement.
#include "results/store/store.h"

#include <SQLiteCpp/Database.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/files/file.h"
#include "core/files/lock.h"
#include "core/files/temporary_folder.h"
#include "core/json.h"
#include "core/message.h"
#include "core/store_files/result_file.h"
#include "core/store_files/trial_folder.h"
#include "results/database/connection.h"
#include "results/database/database_error.h"
#include "results/database/database_place.h"
#include "results/database/page_checksums.h"
#include "results/database/read_aside.h"
#include "results/database/schema.h"
#include "results/database/shared_store.h"
#include "results/database/sql_expressions.h"
#include "results/database/sql_functions.h"
#include "results/database/wait_for_writers.h"
#include "results/database/wal_damage.h"
#include "results/database/write_count.h"
#include "results/folders/store_lock.h"
#include "results/folders/stored_trial.h"
#include "results/folders/trials_in_transit.h"
#include "results/store/rebuild.h"
#include "results/store/store_state.h"

namespace rethink {
namespace {

/// Hides the rows of trials whose folders were set aside (trials_in_transit.h) from each query of
/// this connection that names a table without `main.`. A sweep's file still has its member. No cost
/// without such folders.
void hide_removed_trials(SQLite::Database& database, const std::filesystem::path& store,
                         bool is_old) {
  std::vector<std::string> removed;
  for (const std::filesystem::path& aside : trials_set_aside(store)) {
    const std::string trial = trial_set_aside(aside);
    std::error_code unreadable;
    // `db merge` may have copied the trial in again.
    if (!std::filesystem::exists(trial_folder(store, trial), unreadable))
      removed.push_back(sql_text(trial));
  }
  if (removed.empty()) return;
  // SQLite searches temporary names first.
  const auto hide = [&](const std::string& columns, const std::string& table, const char* column) {
    database.exec(
        fmt::format("CREATE TEMP VIEW {1} AS SELECT {0} FROM main.{1} WHERE {2} NOT IN ({3})",
                    columns, table, column, joined(removed)));
  };
  // In the table's own order, lists show the order of recording.
  is_old ? hide("*", "trial", "id") : hide("rowid, *", "trial_record", "id");
  for (const std::string table : kTablesOfTrials)
    hide("*", is_old && table == "series" ? "metric" : table, "trial");
}

/// Adds has_worker(id): whether a process runs the trial.
void register_has_worker(SQLite::Database& database, const std::filesystem::path& store) {
  const auto answer = [](sqlite3_context* context, int, sqlite3_value** values) {
    const auto& folder = *static_cast<const std::filesystem::path*>(sqlite3_user_data(context));
    const auto* trial = reinterpret_cast<const char*>(sqlite3_value_text(values[0]));
    bool is_held = false;
    try {
      is_held = trial && is_folder_locked(trial_folder(folder, trial));
    } catch (const std::exception&) {  // unknown
    }
    sqlite3_result_int(context, is_held);
  };
  const int failed = sqlite3_create_function_v2(
      database.getHandle(), "has_worker", 1, SQLITE_UTF8, new std::filesystem::path(store), answer,
      nullptr, nullptr, [](void* folder) { delete static_cast<std::filesystem::path*>(folder); });
  if (failed != SQLITE_OK) throw SQLite::Exception(database.getHandle(), failed);
}

constexpr int kBusyMs = 10000;
constexpr const char* kShared = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL";
/// For a file that is discarded unless it becomes complete.
constexpr const char* kPrivate = "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF";
// 32 MB. In SQLite's 2 MB a status of 100,000 trials reads each page several times.
constexpr const char* kPageCache = "PRAGMA cache_size = -32000";

[[noreturn]] void no_store(const std::filesystem::path& folder) {
  throw ConfigError(
      "no-store", fmt::format("{}: there is no store here; give --store DIR, or make one with `{}`",
                              folder.string(), store_command("run SWEEP", folder)));
}

/// Makes Git ignore a new store. A folder with other files is somebody's own, and Git may track it.
void hide_new_store_from_git(const std::filesystem::path& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().filename() != "lock") return;
  }
  write_file_durably(folder / ".gitignore", "*\n");
}

/// The part of a state that is stored; the other states follow from needs and sweeps.
std::optional<TrialState> recorded_state(TrialState state) {
  return is_stored_state(state) ? std::optional(state) : std::nullopt;
}

/// Configuration keys in which trials differ, sorted.
std::vector<std::string> varying_keys(SQLite::Database& database) {
  return texts_of(database, "SELECT key FROM configuration_key WHERE varies ORDER BY key");
}

}  // namespace

Store::Store(const std::filesystem::path& folder, Access access)
    : state_(std::make_unique<State>()) {
  state_->folder = folder;
  state_->access = access;
  if (access == Access::write) {
    make_folder_durably(folder);
    hide_new_store_from_git(folder);
    give_uuid(folder);
  }
  state_->path = access == Access::write ? make_database_place(folder) : database_path(folder);
  if (access == Access::write && !has_database(state_->path)) make_database(folder);
  require_plain_database(state_->path);
  if (access == Access::write) {
    require_single_name(state_->path, folder);
    share_with_group(state_->path);
    // Otherwise SQLite would open the database and fail at the first row.
    if (const std::string text = foreign_files(state_->path); !text.empty())
      throw MachineError("database-error", text);
    mend_database(folder);
  }
  try {
    access == Access::write ? open_for_writing(state_->path, kShared) : open_for_reading();
    state_->counts_writes = access == Access::write;
    if (state_->counts_writes) {
      state_->writes = std::max(write_count(*state_->database), write_count_beside(folder));
      state_->write_count = open_write_count(folder);
    }
  } catch (const SQLite::Exception& error) {
    throw_database_error(state_->path, error, folder);
  }
}

Store::Store(const std::filesystem::path& folder, const std::filesystem::path& at)
    : state_(std::make_unique<State>()) {
  state_->folder = folder;
  state_->access = Access::write;
  // The path in errors: the file that this database will become, else the temporary folder.
  state_->path = at.empty() ? temporary_folder() : database_path(folder);
  // SQLite makes files that no group may write, whatever umask allows, and gives its -wal and -shm
  // the same rights.
  if (!at.empty()) open_file(at, O_RDWR | O_CREAT);
  try {
    open_for_writing(at, kPrivate);
  } catch (const SQLite::Exception& error) {
    throw_database_error(state_->path, error, folder);
  }
}

const std::filesystem::path& Store::folder() const {
  return state_->folder;
}

Store::~Store() {  // SQLite rolls back an open transaction
  // A reader of another program that stays open would move the -wal's pages into the file without
  // their checksums.
  if (state_ && state_->database && sqlite3_db_readonly(state_->database->getHandle(), "main") == 0)
    state_->database->tryExec("PRAGMA wal_checkpoint(PASSIVE)");
}

void Store::open_for_reading() {
  if (!is_store(state_->folder)) no_store(state_->folder);
  require_whole_wal(state_->folder, state_->path);
  const auto open = [this](const std::filesystem::path& file) {
    SQLite::Database& db = state_->database.emplace(open_read_only(file, kBusyMs));
    if (state_->path == state_->folder && has_invalid_format(db))
      throw MachineError(
          "damaged-database",
          damaged_database_text(state_->path, "format 0, which no version writes", state_->folder));
    check_format(db, state_->path, state_->folder, kOldestReadFormat);
  };
  const auto open_copy = [&] {
    const AsideCopy copy(state_->folder, state_->path);
    open(copy.database());
  };
  if (would_leave_files(state_->folder, state_->path)) {
    open_copy();
  } else {
    try {
      open(state_->path);
    } catch (const SQLite::Exception& error) {
      if (!may_read_aside(state_->folder, error)) throw;
      open_copy();
    }
  }
  register_statistics(*state_->database);
  register_values(*state_->database);
  state_->database->exec("PRAGMA temp_store = MEMORY");
  state_->database->exec(kPageCache);
  const bool is_old = state_->database->execAndGet("PRAGMA user_version").getInt() <
                      static_cast<int>(kSeriesFormat);
  hide_removed_trials(*state_->database, state_->folder, is_old);
  // A snapshot has no driver, and no workers to ask.
  const bool is_left =
      std::filesystem::is_directory(state_->folder) && !store_owner(state_->folder);
  if (is_left) register_has_worker(*state_->database, state_->folder);
  state_->views = is_old    ? OwnViews::old_format
                  : is_left ? OwnViews::without_driver
                            : OwnViews::with_driver;
  state_->database->exec(own_views({.keys = varying_keys(*state_->database)}, state_->views));
}

void Store::open_for_writing(const std::filesystem::path& file, const char* settings) {
  SQLite::Database& db =
      state_->database.emplace(sqlite_name(file), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE,
                               kBusyMs, page_checksum_layer());
  if (!has_database(file)) keep_page_checksums(db);
  state_->wait.database = state_->path;
  wait_for_writers(db, state_->wait);
  restrict_schema(db);
  db.exec(settings);
  db.exec("PRAGMA foreign_keys = ON");
  db.exec(kPageCache);
  make_tables(db, state_->path, state_->folder);
  register_statistics(db);
  register_values(db);
  read_keys();
  db.exec(own_views({.keys = varying_keys(db)}, state_->views));
}

void Store::widen_runs() {
  SQLite::Database& db = *state_->database;
  const RunsColumns columns = all_columns_of_runs(db, varying_keys(db));
  db.exec(own_views(columns, state_->views));
  if (state_->access == Access::write) db.exec(runs_view(columns));
}

void Store::wait_while(std::function<bool()> may_wait) {
  state_->wait.may_wait = std::move(may_wait);
}

SQLite::Database& Store::database() {
  return *state_->database;
}

SQLite::Statement& Store::prepared(const char* sql) const {
  const auto found = state_->statements.find(sql);
  if (found == state_->statements.end()) {
    return state_->statements.try_emplace(sql, *state_->database, sql).first->second;
  }
  found->second.tryReset();  // this repeats the error of its last use, which was already thrown
  found->second.clearBindings();
  return found->second;
}

void Store::begin() {
  RETHINK_ASSERT(!state_->in_transaction, "a transaction within a transaction");
  run_once(*this, prepared("BEGIN IMMEDIATE"));
  state_->in_transaction = true;
}

void Store::commit() {
  RETHINK_ASSERT(state_->in_transaction, "commit without begin");
  try {
    if (state_->keys_replaced) {
      state_->database->exec("DELETE FROM configuration_key");
      state_->keys.clear();
      SQLite::Statement& all = prepared("SELECT configuration FROM trial_record");
      while (all.executeStep()) note_configuration(Json::parse(all.getColumn(0).getString()));
      all.reset();
      state_->keys_changed = true;
      state_->keys_replaced = false;
    }
    if (state_->keys_changed) {
      std::vector<std::string> columns;
      for (const auto& [key, seen] : state_->keys) {
        if (seen.varies) columns.push_back(key);
      }
      state_->database->exec(runs_view({.keys = columns}));
      state_->database->exec(own_views({.keys = columns}, state_->views));
      state_->keys_changed = false;
    }
    if (state_->counts_writes) set_write_count(*state_->database, state_->writes + 1);
  } catch (const SQLite::Exception& error) {
    throw_database_error(state_->path, error, state_->folder);
  }
  run_once(*this, prepared("COMMIT"));
  state_->in_transaction = false;
  if (state_->counts_writes) set_write_count_beside(state_->write_count, ++state_->writes);
}

void Store::rollback() {
  if (!state_->in_transaction) return;
  state_->in_transaction = false;
  state_->database->tryExec("ROLLBACK");  // SQLite may have rolled back by itself
  read_keys();
}

void Store::read_keys() {
  state_->keys.clear();
  state_->keys_changed = state_->keys_replaced = false;
  SQLite::Statement& keys = prepared("SELECT key, value, varies FROM configuration_key");
  while (keys.executeStep())
    state_->keys[keys.getColumn(0)] = {keys.getColumn(1), keys.getColumn(2).getInt() != 0};
  keys.reset();
}

void Store::clear() {
  RETHINK_ASSERT(state_->in_transaction, "clear outside of a transaction");
  // Children first: then SQLite empties whole tables instead of following every row.
  state_->database->exec("DELETE FROM metric_value");
  for (const char* table : kTablesOfTrials)
    state_->database->exec(fmt::format("DELETE FROM {}", table));
  for (const char* table : {"trial_record", "sweep_trial", "sweep_file_trial", "sweep_file",
                            "sweep", "configuration_key"})
    state_->database->exec(fmt::format("DELETE FROM {}", table));
  state_->keys.clear();
  state_->keys_changed = true;
  state_->keys_replaced = false;
}

void Store::put_trial(const Json& trial_json, TrialState state) {
  WriteScope scope(*this);
  const std::string id = trial_json.at("id");
  SQLite::Statement& known = prepared("SELECT configuration FROM trial_record WHERE id = ?", id);
  const bool is_new = !known.executeStep();
  const std::string before = is_new ? "" : known.getColumn(0).getString();
  known.reset();
  if (is_new) {
    add_trial(trial_json, state);
  } else {
    const std::string configuration = canonical_json(trial_json.at("config"));
    run("UPDATE trial_record SET told = ?, configuration = ? WHERE id = ?", recorded_state(state),
        configuration, id);
    state_->keys_replaced = state_->keys_replaced || configuration != before;
  }
  scope.done();
}

void Store::add_trial(const Json& trial_json, TrialState state) {
  const std::string id = trial_json.at("id");
  const Json seed = trial_json.value("seed", Json());
  const auto object_at = [&](const char* member) {
    return canonical_json(trial_json.value(member, Json::object()));
  };
  run("INSERT INTO trial_record(id, job, told, seed, configuration, data, imported, revisions) "
      "VALUES(?,?,?,?,?,?,?,?)",
      id, trial_json.at("job").get<std::string>(), recorded_state(state),
      seed.is_null() ? std::nullopt : std::optional(seed.get<int64_t>()),
      canonical_json(trial_json.at("config")), object_at("data"), object_at("imported"),
      object_at("revisions"));
  const Json needs = trial_json.value("needs", Json::object());
  const std::set<std::string> may_diverge =
      trial_json.value("may_diverge", std::set<std::string>{});
  for (const auto& [slot, ids] : needs.items()) {
    for (size_t i = 0; i < ids.size(); ++i) {
      run("INSERT INTO trial_need(trial, slot, position, need, may_diverge) VALUES(?,?,?,?,?)", id,
          slot, static_cast<int64_t>(i), ids[i].get<std::string>(), may_diverge.contains(slot));
    }
  }
  note_configuration(trial_json.at("config"));
}

void Store::set_state(const std::string& trial, TrialState state, const std::string& message) {
  run("UPDATE trial_record SET told = ?, message = ? WHERE id = ?", recorded_state(state), message,
      trial);
}

void Store::put_sweep(const std::string& sweep, const std::string& profile,
                      const std::vector<SweepMember>& members) {
  put_sweep(Sweep{sweep, profile, {}, members, {}});
}

void Store::put_sweep(const Sweep& given) {
  WriteScope scope(*this);
  std::vector<std::string> sources;  // most sweeps have one
  for (const SweepFile& file : given.files) {
    if (std::find(sources.begin(), sources.end(), file.source) == sources.end())
      sources.push_back(file.source);
  }
  run("DELETE FROM sweep WHERE sweep = ? AND profile = ?", given.sweep, given.profile);
  run("INSERT INTO sweep(sweep, profile, source) VALUES(?,?,?)", given.sweep, given.profile,
      joined(sources, "\n"));
  for (const SweepFile& file : given.files) {
    const std::string name = file.path.filename().string();
    const FileStamp stamp = stamp_of(file.path);
    run("INSERT INTO sweep_file(name, sweep, profile, choice, source, told, bytes, changed) "
        "VALUES(?,?,?,?,?,?,?,?)",
        name, file.sweep, file.profile, file.choice, file.source, canonical_json(file.with),
        stamp.bytes, stamp.changed_ns);
    if (given.files.size() == 1) continue;  // with one file, all trials of the sweep are its trials
    for (const SweepMember& member : file.members)
      run("INSERT OR IGNORE INTO sweep_file_trial(file, trial) VALUES(?,?)", name, member.trial);
  }
  int64_t position = 0;
  for (const SweepMember& member : given.members) {
    run("INSERT INTO sweep_trial(sweep, profile, position, stage, labels, trial, cancelled) "
        "VALUES(?,?,?,?,?,?,?)",
        given.sweep, given.profile, position++, member.stage, canonical_json(member.labels),
        member.trial, given.cancelled.count(member.trial) > 0);
  }
  scope.done();
}

Json facts_with(Json facts, const Json& added) {
  const Json before = facts.value("seconds", Json());
  facts.merge_patch(added);
  if (before.is_number() && facts.value("seconds", Json()) < before) facts["seconds"] = before;
  return facts;
}

Json Store::facts_of(const AttemptRow& attempt) const {
  SQLite::Statement& query = prepared("SELECT facts FROM attempt WHERE trial = ? AND number = ?",
                                      attempt.trial, attempt.number);
  Json facts = Json::object();
  if (query.executeStep()) facts = Json::parse(query.getColumn(0).getString());
  query.reset();
  return facts;
}

void Store::put_attempt(const AttemptRow& attempt) {
  Json facts = attempt.facts;  // without facts that have their own columns
  for (const char* member : {"outcome", "message"}) facts.erase(member);
  run("INSERT INTO attempt(trial, number, outcome, message, facts, seconds) VALUES(?1, ?2, ?3, "
      "?4, ?5, json_extract(?5, '$.seconds')) ON CONFLICT(trial, number) DO UPDATE SET outcome = "
      "iif(excluded.outcome = '', outcome, excluded.outcome), message = iif(excluded.message = "
      "'', message, excluded.message), facts = excluded.facts, seconds = "
      "coalesce(excluded.seconds, seconds)",
      attempt.trial, attempt.number, attempt.outcome ? to_text(*attempt.outcome) : "",
      attempt.message, canonical_json(facts_with(facts_of(attempt), facts)));
  if (!facts.contains("seconds")) return;
  run("INSERT OR REPLACE INTO measurement(trial, name, step, value) "
      "SELECT ?1, 'attempt_s', 0, sum(seconds) FROM attempt WHERE trial = ?1",
      attempt.trial);
}

void Store::note_configuration(const Json& configuration) {
  each_leaf(configuration, [&](const std::string& key, const Json& value) {
    // The JSON column has the keys that a path cannot spell.
    if (value.is_object() || key.find('"') != std::string::npos ||
        find_path(configuration, key) != &value)
      return;
    const std::string text = canonical_json(value);
    const auto [seen, added] = state_->keys.try_emplace(key, ConfigurationKey{text, false});
    if (!added && (seen->second.varies || seen->second.value == text)) return;
    if (!added) seen->second.varies = state_->keys_changed = true;
    run("INSERT INTO configuration_key(key, value, varies) VALUES(?,?,?) "
        "ON CONFLICT(key) DO UPDATE SET varies = excluded.varies",
        key, seen->second.value, seen->second.varies);
  });
}

namespace {

std::optional<double> number_at(SQLite::Statement& row, int index) {
  return row.isColumnNull(index) ? std::nullopt : std::optional(row.getColumn(index).getDouble());
}

}  // namespace

std::optional<TrialRow> Store::trial(const std::string& id) const {
  SQLite::Statement& query = prepared(
      "SELECT t.job, t.state, t.configuration, t.seed, t.message, r.told IS ?2 FROM trial t "
      "JOIN trial_record r ON r.id = t.id WHERE t.id = ?1",
      id, TrialState::running);
  if (!query.executeStep()) return std::nullopt;
  TrialRow row{
      id, query.getColumn(0), state_at(query, 1), Json::parse(query.getColumn(2).getString()), {},
      {}};
  if (!query.isColumnNull(3)) row.seed = query.getColumn(3).getInt64();
  row.message = query.getColumn(4).getString();
  row.begun = query.getColumn(5).getInt() != 0;
  query.reset();
  return row;
}

std::map<std::string, TrialState> Store::states(const std::vector<std::string>& ids) const {
  SQLite::Statement& query =
      prepared("SELECT t.id, t.state FROM json_each(?) j JOIN trial t ON t.id = j.value", ids);
  std::map<std::string, TrialState> states;
  while (query.executeStep()) states[query.getColumn(0)] = state_at(query, 1);
  query.reset();
  return states;
}

std::vector<AttemptRow> Store::attempts(const std::string& trial) const {
  SQLite::Statement& query = prepared(
      "SELECT number, outcome, message, facts FROM attempt WHERE trial = ? ORDER BY number", trial);
  std::vector<AttemptRow> rows;
  while (query.executeStep()) {
    const std::string outcome = query.getColumn(1);
    AttemptRow row{trial,
                   query.getColumn(0).getInt64(),
                   {},
                   query.getColumn(2),
                   Json::parse(query.getColumn(3).getString())};
    if (!outcome.empty()) row.outcome = attempt_outcome_named(outcome);
    rows.push_back(std::move(row));
  }
  query.reset();
  return rows;
}

std::vector<MetricRow> Store::metrics(const std::string& trial, const std::string& split,
                                      const std::string& name) const {
  SQLite::Statement& query = prepared(
      "SELECT step, value FROM metric WHERE trial = ? AND split = ? AND name = ? ORDER BY step",
      trial, split, name);
  std::vector<MetricRow> rows;
  while (query.executeStep()) {
    rows.push_back({trial, split, name, query.getColumn(0).getInt64(), number_at(query, 1)});
  }
  query.reset();
  return rows;
}

std::map<std::string, double> Store::last_values(const std::vector<std::string>& trials,
                                                 const std::string& split,
                                                 const std::string& name) const {
  static const std::string of_tails =
      "SELECT j.value, " + tail_sql("j.value", "?2", "?3") + " FROM json_each(?1) j";
  const std::optional<std::string> curve = curve_of_tail(name);
  SQLite::Statement& query = prepared(
      curve ? of_tails.c_str()
            : "SELECT j.value, (SELECT m.value FROM metric m WHERE m.trial = j.value AND m.split = "
              "?2 AND m.name = ?3 ORDER BY m.step DESC LIMIT 1) FROM json_each(?1) j",
      trials, split, curve.value_or(name));
  std::map<std::string, double> values;
  while (query.executeStep()) {
    if (const std::optional<double> value = number_at(query, 1))
      values[query.getColumn(0)] = *value;
  }
  query.reset();
  return values;
}

std::map<std::string, double> Store::measurements(const std::string& trial) const {
  SQLite::Statement& query =
      prepared("SELECT name, value FROM measurement WHERE trial = ? ORDER BY name, step", trial);
  std::map<std::string, double> values;
  while (query.executeStep()) {
    if (const std::optional<double> value = number_at(query, 1))
      values[query.getColumn(0)] = *value;
  }
  query.reset();
  return values;
}

std::optional<TrialProgress> Store::progress(const std::string& trial) const {
  SQLite::Statement& query = prepared(
      "SELECT p.attempt, coalesce(a.resume_step, 0), p.step, p.steps, p.loss, "
      "p.steps_per_s FROM progress p LEFT JOIN attempt a ON a.trial = p.trial AND "
      "a.number = p.attempt WHERE p.trial = ?",
      trial);
  if (!query.executeStep()) return std::nullopt;
  const auto integer = [&](int column) { return query.getColumn(column).getInt64(); };
  const TrialProgress found{integer(0), integer(1),          integer(2),
                            integer(3), number_at(query, 4), number_at(query, 5)};
  query.reset();
  return found;
}

uint64_t Store::largest_checkpoint(const std::string& trial) const {
  SQLite::Statement& query = prepared(
      "SELECT max(body ->> 'bytes') FROM event WHERE trial = ? AND event = 'checkpoint'", trial);
  query.executeStep();
  const auto bytes = static_cast<uint64_t>(query.getColumn(0).getInt64());
  query.reset();
  return bytes;
}

bool Store::lacks_events(const std::string& trial) const {
  return has_row(prepared(
      "SELECT 1 FROM (SELECT attempt, json_extract(body, '$.rests_on.attempt') AS rests_on, "
      "json_extract(body, '$.rests_on.offset') AS bytes FROM event WHERE trial = ?1 AND event = "
      "'start' AND json_extract(body, '$.resume_step') > 0) s WHERE NOT EXISTS (SELECT 1 FROM "
      "attempt a WHERE a.trial = ?1 AND a.number < s.attempt AND a.number = ifnull(s.rests_on, "
      "a.number) AND a.bytes_read >= ifnull(s.bytes, 1)) LIMIT 1",
      trial));
}

bool Store::result_reached(const std::filesystem::path& trial_folder) const {
  const std::optional<Json> result = sound_result(trial_folder / kResultFile);
  if (!result) return false;
  return has_row(
      prepared("SELECT 1 FROM attempt WHERE trial = ? AND number = ? AND bytes_read >= ?",
               trial_folder.filename().string(), result->value("attempt", int64_t{0}),
               result->value("events", int64_t{0})));
}

}  // namespace rethink
