#include "results/store/rebuild.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <cerrno>

#include "core/error.h"
#include "core/files/file.h"
#include "core/message.h"
#include "core/store_files/result_file.h"
#include "core/store_files/store_folder.h"
#include "core/store_files/trial_folder.h"
#include "core/system/kill_point.h"
#include "core/system/log.h"
#include "results/database/connection.h"
#include "results/database/database_error.h"
#include "results/database/database_place.h"
#include "results/database/page_checksums.h"
#include "results/database/schema.h"
#include "results/database/sql_expressions.h"
#include "results/database/wal_damage.h"
#include "results/database/write_count.h"
#include "results/folders/foreign_parts.h"
#include "results/folders/stored_trial.h"
#include "results/folders/trials_in_transit.h"
#include "results/store/ingest.h"
#include "results/store/store_state.h"

namespace rethink {
namespace {

constexpr int kRecoveryMs = 2000;  // time in which another command may read a -wal that a kill left

/// Whether SQLite can read the database with its -wal and finds a known format. True if another
/// program holds a lock, for which a writer waits. Throws as throw_database_error if the check
/// fails for lack of space or rights.
bool is_sound(const std::filesystem::path& database, const std::filesystem::path& store) {
  require_plain_database(database);
  if (!wal_damage(database).empty()) return false;
  try {
    SQLite::Database opened = open_read_only(database, kRecoveryMs);
    return !has_invalid_format(opened) &&
           opened.execAndGet("PRAGMA integrity_check(1)").getString() == "ok";
  } catch (const SQLite::Exception& error) {
    if (is_damage(error)) return false;
    if (error.getErrorCode() == SQLITE_BUSY) return true;
    throw_database_error(database, error, store);
  }
}

/// Whether a writer was killed, or a reader had the database open when the last writer ended.
bool has_wal(const std::filesystem::path& database) {
  std::error_code none;
  const uintmax_t bytes = std::filesystem::file_size(database.string() + "-wal", none);
  return !none && bytes > 0;
}

constexpr const char* kAside = ".damaged-";

/// The first free name rethink.db.damaged-<n>.
std::filesystem::path name_aside(const std::filesystem::path& database) {
  std::string aside;
  for (int n = 1; aside.empty() || std::filesystem::exists(aside); ++n) {
    aside = fmt::format("{}{}{}", database.string(), kAside, n);
  }
  return aside;
}

/// Renames the database with its -wal and -shm.
void move_aside(const std::filesystem::path& database, const std::filesystem::path& aside) {
  // The database is first: without it, the other files do not count as a database after a kill.
  for (const char* part : {"", "-wal", "-shm"}) {
    if (std::filesystem::exists(database.string() + part)) {
      std::filesystem::rename(database.string() + part, aside.string() + part);
      kill_point("after_database_part_moved");
    }
  }
}

constexpr const char* kNoSoundResult = "it has no sound result.json";

/// In a trial without a sound result, an attempt that says `done` counts as lost, since a mean
/// would otherwise use its numbers. The attempt of a result that was set aside stays done, and so
/// do the attempts that repeated it.
void lose_attempts_without_result(Store& store, const std::filesystem::path& path,
                                  const std::string& trial) {
  const std::optional<StoredJson> aside = proved_result(path / kOldResultFile);
  const int64_t proved =
      aside && aside->is_sound() ? aside->object.at("attempt").get<int64_t>() : 0;
  for (const AttemptRow& attempt : store.attempts(trial)) {
    if (attempt.outcome == AttemptOutcome::done && attempt.number > proved)
      store.put_attempt(
          {trial, attempt.number, AttemptOutcome::lost, kNoSoundResult, Json::object()});
  }
}

/// A worker publishes its result after its last event. A command that looks between these two,
/// beside pilots for example, calls the attempt lost.
void find_attempt_of_result(Store& store, const std::string& trial, const Json& result) {
  SQLite::Statement found =
      statement_of(store.database(),
                   "UPDATE attempt SET outcome = ?, message = '' WHERE trial = ? AND number = ? "
                   "AND outcome = ? AND message = ?",
                   AttemptOutcome::done, trial, result.at("attempt").get<int64_t>(),
                   AttemptOutcome::lost, kNoSoundResult);
  run_once(store, found);
}

/// The number of metrics of each done or diverged trial.
std::map<std::string, int64_t> metrics_of_ended(SQLite::Database& database) {
  std::map<std::string, int64_t> metrics;
  SQLite::Statement query(
      database,
      fmt::format("SELECT t.id, (SELECT count(*) FROM metric m WHERE m.trial = t.id) FROM "
                  "counted_trial t WHERE t.counted IN ({})",
                  sql_list(has_result)));
  while (query.executeStep()) metrics[query.getColumn(0)] = query.getColumn(1).getInt64();
  return metrics;
}

/// The trials that have fewer metrics after a rebuild, or are no longer done or diverged, apart
/// from the trials that `rm` removes.
std::vector<std::string> lost_trials(std::map<std::string, int64_t> before,
                                     const std::map<std::string, int64_t>& after,
                                     const std::filesystem::path& folder) {
  for (const std::filesystem::path& aside : trials_set_aside(folder))
    before.erase(trial_set_aside(aside));
  std::vector<std::string> lost;
  for (const auto& [trial, metrics] : before) {
    const auto found = after.find(trial);
    if (found == after.end() || found->second < metrics) lost.push_back(trial);
  }
  return lost;
}

/// metrics_of_ended of a database that may be damaged; nothing if SQLite cannot read enough of it.
std::map<std::string, int64_t> readable_metrics(const std::filesystem::path& database) {
  if (!has_database(database)) return {};
  try {
    SQLite::Database opened = open_read_only(database, 0);
    const bool is_old =
        opened.execAndGet("PRAGMA user_version").getInt() < static_cast<int>(kSeriesFormat);
    opened.exec(own_views({}, is_old ? OwnViews::old_format : OwnViews::with_driver));
    return metrics_of_ended(opened);
  } catch (const SQLite::Exception&) {
    return {};
  }
}

/// Like make_database; the old database becomes `aside`.
RebuildReport replace_database(const std::filesystem::path& folder,
                               const std::filesystem::path& aside) {
  give_uuid(folder);
  const std::filesystem::path database = make_database_place(folder);
  PendingFile pending(database);
  RebuildReport report;
  const std::map<std::string, int64_t> before = readable_metrics(database);
  const int64_t writes = write_count_beside(folder) + 1;
  {
    Store store(folder, pending.temporary());
    report = fill_from_folders(store, folder, read_sweeps(folder));
    report.lost = lost_trials(before, metrics_of_ended(store.database()), folder);
    set_write_count(store.database(), writes);
    store.database().exec("PRAGMA journal_mode = WAL");  // the journal mode of its writers
  }
  kill_point("before_rebuild_commit");
  pending.finish();
  if (has_database(database)) {
    move_aside(database, aside);
    report.moved_aside = aside;
  }
  // Files that another database left would be read as part of this one.
  for (const char* part : {"-wal", "-shm"}) std::filesystem::remove(database.string() + part);
  pending.publish();
  set_write_count_beside(open_write_count(folder), writes);
  return report;
}

/// Whether the database lacks transactions that the store has had, as after a backup was put back;
/// false if SQLite cannot read it.
bool is_put_back(const std::filesystem::path& database, const std::filesystem::path& store) {
  try {
    SQLite::Database opened = open_read_only(database, kRecoveryMs);
    const bool is_ours = opened.execAndGet("PRAGMA application_id").getInt() == kApplicationId;
    // A database of another format is made again, or refused.
    const auto format = static_cast<size_t>(opened.execAndGet("PRAGMA user_version").getInt());
    return is_ours && format == kNewestFormat && is_older_than_store(opened, store);
  } catch (const SQLite::Exception&) {
    return false;
  }
}

/// The format of an older database, which is made again; 0 if it is not older or SQLite cannot read
/// it.
int older_format(const std::filesystem::path& database) {
  if (is_without_page_checksums(database)) return 1;
  if (!has_database(database)) return 0;
  try {
    SQLite::Database opened = open_read_only(database, kRecoveryMs);
    const int format = opened.execAndGet("PRAGMA user_version").getInt();
    const bool is_ours = opened.execAndGet("PRAGMA application_id").getInt() == kApplicationId;
    return is_ours && format > 0 && format < static_cast<int>(kNewestFormat) ? format : 0;
  } catch (const SQLite::Exception&) {
    return 0;
  }
}

/// "... ; the database was made again from the trials' folders, and the damaged one is now ..."
std::string recompute_advice(const std::filesystem::path& folder, const RebuildReport& report,
                             const std::string& why, const char* old) {
  return fmt::format(
      "{}: {}; the database was made again from the trials' folders, and the {} one is now {}, "
      "which `{}` removes",
      database_path(folder).string(), why, old, report.moved_aside.string(),
      store_command("gc", folder));
}

}  // namespace

void index_trial(Store& store, const std::filesystem::path& folder, const std::string& trial,
                 std::vector<std::string>& damaged) {
  const std::filesystem::path path = trial_folder(folder, trial);
  const auto planned = readable_trial(path);
  if (!planned) {
    damaged.push_back(trial);
    return;
  }
  store.put_trial(*planned, TrialState::waiting);
  const bool good = ingest_events(store, path);
  const std::optional<StoredJson> result = proved_result(path / kResultFile);
  const bool proved = result && result->is_sound();
  if (proved) {
    find_attempt_of_result(store, trial, result->object);
  } else {
    lose_attempts_without_result(store, path, trial);
  }
  if (!good || (result && (!proved || !store.result_reached(path)))) {
    damaged.push_back(trial);
    return;
  }
  const FolderState found = state_from_folder(path);
  if (found.state) store.set_state(trial, *found.state, found.message);
}

RebuildReport fill_from_folders(Store& store, const std::filesystem::path& folder,
                                const std::vector<Sweep>& sweeps) {
  RebuildReport report;
  WriteScope scope(store);
  std::set<std::string> unreadable;
  for (const std::string& trial : trial_names(folder)) {
    const std::filesystem::path path = trial_folder(folder, trial);
    const std::string part = foreign_part(path), rows = unreadable_part(path);
    if (!rows.empty()) unreadable.insert(trial);
    if (!part.empty() || !rows.empty()) {
      report.foreign[trial] = part.empty() ? rows : part;
      continue;
    }
    if (const std::string file = foreign_file(path); !file.empty())
      report.foreign_files[trial] = file;
    if (const std::string file = stray_file(path); !file.empty()) report.stray_files[trial] = file;
  }
  for (const std::string& trial : trials_in(folder)) {
    if (unreadable.count(trial)) continue;
    index_trial(store, folder, trial, report.damaged);
    ++report.trials;
  }
  for (const Sweep& sweep : sweeps) {
    store.put_sweep(sweep);
    ++report.sweeps;
  }
  scope.done();
  return report;
}

RebuildReport make_database(const std::filesystem::path& folder) {
  return replace_database(folder, name_aside(database_path(folder)));
}

void mend_database(const std::filesystem::path& folder) {
  const std::filesystem::path database = database_path(folder);
  require_plain_database(database);
  if (const int format = older_format(database)) {
    const std::filesystem::path aside = name_of_old_format(database, format);
    // Files that a kill between the renames of an earlier call left.
    for (const char* part : {"", "-wal", "-shm"}) std::filesystem::remove(aside.string() + part);
    const RebuildReport report = replace_database(folder, aside);
    log_info(
        fmt::format("{}: {} and was made again from the trials' folders; the old one is now {}",
                    database.string(),
                    format == 1 ? "had no checksums" : fmt::format("was of format {}", format),
                    aside.string()));
    if (!report.lost.empty()) log_warning(lost_text(report, folder));
    return;
  }
  const InvalidPages pages = unfit_pages(database);
  const std::string of_wal = wal_damage(database);
  if (!pages.first && of_wal.empty() && is_put_back(database, folder)) {
    const RebuildReport report = make_database(folder);
    log_warning(recompute_advice(
        folder, report, "is older than the store, as where a backup was put back", "older"));
    if (!report.lost.empty()) log_warning(lost_text(report, folder));
    return;
  }
  if (!pages.first && of_wal.empty() && !has_wal(database)) return;
  const bool is_readable = is_sound(database, folder);
  // A damaged page is harmless if SQLite does not use it or the -wal replaces it.
  if (is_readable && !pages.of_another_program) return;
  const RebuildReport report = make_database(folder);
  const auto told = [&](const std::string& why, const char* old) {
    return recompute_advice(folder, report, why, old);
  };
  if (is_readable) {
    log_info(told(fmt::format("another program wrote page {}, which has no checksum",
                              *pages.of_another_program),
                  "old"));
  } else {
    const std::string problem = of_wal.empty() ? pages.problem : of_wal;
    log_warning(told(problem.empty() ? "it and its -wal do not fit together, as where a backup was "
                                       "copied over it"
                                     : problem,
                     "damaged"));
  }
  if (!report.lost.empty()) log_warning(lost_text(report, folder));
}

void require_store_to_rebuild(const std::filesystem::path& folder) {
  const bool has_part = std::filesystem::is_directory(trials_folder(folder)) ||
                        std::filesystem::exists(folder / kUuidFile) ||
                        std::filesystem::is_directory(folder / "sweeps") ||
                        has_database(database_path(folder));
  if (!has_part)
    throw ConfigError("no-store",
                      fmt::format("{}: there is no store here; give --store DIR", folder.string()));
}

RebuildReport rebuild(const std::filesystem::path& folder) {
  require_store_to_rebuild(folder);
  const std::filesystem::path database = database_path(folder);
  if (!has_database(database) || !is_sound(database, folder)) return make_database(folder);
  {
    Store store(folder, Store::Access::write);
    const std::map<std::string, int64_t> before = metrics_of_ended(store.database());
    store.begin();
    store.clear();
    const RebuildReport report = fill_from_folders(store, folder, read_sweeps(folder));
    if (lost_trials(before, metrics_of_ended(store.database()), folder).empty()) {
      kill_point("before_rebuild_commit");
      store.commit();
      return report;
    }
  }
  return make_database(folder);  // on failure, the old database stays
}

std::string lost_text(const RebuildReport& report, const std::filesystem::path& folder) {
  const bool is_leftover = report.moved_aside.filename().string().find(kAside) != std::string::npos;
  return fmt::format(
      "{} lost numbers: {}; the old database, which has these numbers, is now {}{}",
      counted(report.lost.size(), "trial"), joined(report.lost), report.moved_aside.string(),
      is_leftover ? fmt::format(", which `{}` removes", store_command("gc", folder)) : "");
}

std::vector<std::filesystem::path> database_leftovers(const std::filesystem::path& folder) {
  const std::filesystem::path database = database_path(folder);
  const std::string name = database.filename().string();
  std::vector<std::filesystem::path> leftovers;
  if (const auto former = former_database_place(folder)) leftovers.push_back(*former);
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(database.parent_path(), none)) {
    const std::string other = entry.path().filename().string();
    const bool is_pending = other.starts_with("." + name + ".") && other.ends_with(".tmp");
    if (is_pending || other.starts_with(name + kAside)) leftovers.push_back(entry.path());
  }
  return leftovers;
}

void snapshot(const std::filesystem::path& folder, const std::filesystem::path& file) {
  if (std::filesystem::exists(file)) {
    throw ConfigError(
        "file-exists",
        fmt::format("{}: exists already; give another name or remove it", file.string()));
  }
  Store store(folder, Store::Access::read);
  PendingFile pending(file);
  // SQLite would not report why the file cannot be made.
  const FileDescriptor empty(
      open(pending.temporary().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!empty) throw_file_error(file, "cannot create", errno);
  try {
    statement_of(store.database(), "VACUUM INTO ?", sqlite_name(pending.temporary())).exec();
  } catch (const SQLite::Exception& error) {
    throw_database_error(is_damage(error) ? database_path(folder) : file, error, folder);
  }
  pending.publish();
}

std::filesystem::path keep_database(const std::filesystem::path& folder) {
  const std::filesystem::path copy = name_aside(database_path(folder));
  snapshot(folder, copy);
  return copy;
}

}  // namespace rethink
