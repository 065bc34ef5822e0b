#include "results/upkeep/check_store.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "core/files/file.h"
#include "core/files/hash.h"
#include "core/files/lock.h"
#include "core/files/store_file.h"
#include "core/json.h"
#include "core/message.h"
#include "core/store_files/event.h"
#include "core/store_files/result_file.h"
#include "core/store_files/store_folder.h"
#include "core/store_files/trial_folder.h"
#include "results/database/database_error.h"
#include "results/database/sql_expressions.h"
#include "results/database/write_count.h"
#include "results/folders/artifact_file.h"
#include "results/folders/foreign_parts.h"
#include "results/folders/linked_folders.h"
#include "results/folders/look_record.h"
#include "results/folders/outside_scores.h"
#include "results/folders/store_lock.h"
#include "results/folders/stored_trial.h"
#include "results/folders/sweep_files.h"
#include "results/folders/trials_in_transit.h"
#include "results/records/environments.h"
#include "results/store/ingest.h"
#include "results/store/store_state.h"
#include "results/upkeep/compare_rows.h"

namespace rethink {

std::map<std::string, std::set<std::string>> lost_sweeps(Store& store,
                                                         const std::vector<SweepFile>& files) {
  std::set<std::tuple<std::string, std::string, std::string>> listed;  // sweep, profile, trial
  for (const SweepFile& file : files) {
    for (const SweepMember& member : file.members)
      listed.emplace(file.sweep, file.profile, member.trial);
  }
  std::map<std::string, std::set<std::string>> lost;
  SQLite::Statement rows(store.database(),
                         "SELECT DISTINCT sweep, profile, trial FROM sweep_trial");
  while (rows.executeStep()) {
    const std::string sweep = rows.getColumn(0), profile = rows.getColumn(1),
                      trial = rows.getColumn(2);
    if (!listed.contains({sweep, profile, trial}))
      lost[profile.empty() ? sweep : sweep + " --profile " + profile].insert(trial);
  }
  return lost;
}

std::string lost_sweep_text(const std::string& sweep, size_t trials,
                            const std::filesystem::path& store) {
  return fmt::format("sweep {}: {} of it {} in no file of {}", sweep, counted(trials, "trial"),
                     trials == 1 ? "is" : "are", (store / "sweeps").string());
}

namespace {

class Check {
 public:
  Check(const std::filesystem::path& folder, bool hashes)
      : folder_(folder), hashes_(hashes), store_(folder, Store::Access::read) {}

  StoreCheck run() {
    check_sqlite();
    if (found_.problems.empty()) found_.builds = differences_of_builds(store_);
    if (!std::filesystem::is_directory(folder_)) {  // a snapshot has no folders
      found_.rebuild_helps = false;
      if (!found_.problems.empty()) found_.problems.push_back(another_snapshot_text(folder_));
      return found_;
    }
    for (const std::string& problem :
         {store_lock_problem(folder_), store_file_problem(folder_ / kUuidFile),
          store_folder_problem(folder_ / "requests"), link_to_another_store(folder_),
          store_folder_problem(folder_ / "cache")}) {
      if (!problem.empty()) found_.problems.push_back(problem);
    }
    std::ranges::copy(links_below_piped(folder_), std::back_inserter(found_.problems));
    std::ranges::copy(damaged_looks(folder_), std::back_inserter(found_.problems));
    if (const std::string cache = linked_cache(folder_); !cache.empty())
      found_.notes.push_back(cache);
    for (const std::string& trial : trial_names(folder_)) {
      const std::string foreign = unusable_part(trial_folder(folder_, trial));
      if (!foreign.empty() && foreign_.insert(trial).second) add(trial, foreign);
    }
    const std::vector<std::string> folders = trials_in(folder_);
    SQLite::Statement rows(store_.database(), "SELECT id, state FROM trial ORDER BY id");
    while (rows.executeStep()) {
      const std::string trial = rows.getColumn(0);
      if (!foreign_.count(trial) && !std::binary_search(folders.begin(), folders.end(), trial))
        check_gone(trial, state_at(rows, 1));
    }
    for (const std::string& trial : folders) {
      if (foreign_.count(trial)) continue;
      const size_t before = found_.problems.size();
      check_trial(trial);
      check_foreign_file(trial, before);
      const std::string stray = stray_file(trial_folder(folder_, trial));
      if (!stray.empty()) found_.notes.push_back(fmt::format("trial {}: {}", trial, stray));
    }
    for (const std::filesystem::path& aside : trials_set_aside(folder_)) {
      found_.notes.push_back(
          fmt::format("trial {}: was removed, but some of its files and rows are left ({}); the "
                      "next `rethink rm`, `gc` or `run` removes them",
                      trial_set_aside(aside), aside.string()));
    }
    differs_.insert(foreign_.begin(), foreign_.end());
    if (hashes_) check_rows();
    std::vector<std::filesystem::path> damaged;
    const std::vector<SweepFile> sweeps = read_sweep_files(folder_, &damaged);
    for (const SweepFile& sweep : sweeps)
      found_.files_without_checksum += sweep.has_checksum ? 0 : 1;
    if (damaged.empty()) check_lost_sweeps(sweeps);
    for (const std::filesystem::path& path : damaged)
      found_.problems.push_back(fmt::format(
          "{} and was left out; running its sweep again with the same options writes it "
          "anew",
          damaged_file_text(path)));
    return found_;
  }

 private:
  static constexpr const char* kLoss = "; a rebuild before that loses its numbers";
  static constexpr const char* kRunsAgain = "the next run of its sweep makes it again";

  /// `what` includes the advice.
  void add(const std::string& trial, const std::string& what) {
    found_.problems.push_back(fmt::format("trial {}: {}", trial, what));
  }
  /// Reports a problem that a rebuild mends.
  void add_rows(const std::string& trial, const std::string& what) {
    add(trial, what);
    differs_.insert(trial);
    found_.rebuild_helps = true;
  }
  /// Reports that a rebuild would lose the trial's numbers, which the rows still have.
  void add_loss(const std::string& trial, const std::string& what) {
    add(trial, what);
    differs_.insert(trial);
    found_.rebuild_loses.insert(trial);
  }
  void note(const std::string& trial, const std::string& what) {
    found_.notes.push_back(fmt::format("trial {}: {}", trial, what));
    behind_.insert(trial);
  }

  void check_sqlite() {
    if (std::filesystem::is_directory(folder_) && is_older_than_store(store_.database(), folder_)) {
      found_.problems.push_back(
          "database: it is older than the store, as where a backup was put back; the next command "
          "that writes makes it again");
      found_.rebuild_helps = true;
    }
    if (const std::string unseen = unusable_write_count(folder_); !unseen.empty())
      found_.notes.push_back(unseen);
    const auto add_line = [this](const std::string& line) {
      found_.problems.push_back("database: " + line);
      found_.rebuild_helps = true;
    };
    SQLite::Statement integrity(store_.database(), "PRAGMA integrity_check");
    while (integrity.executeStep()) {
      const std::string line = integrity.getColumn(0);
      if (line != "ok") add_line(line);
    }
    SQLite::Statement keys(store_.database(), "PRAGMA foreign_key_check");
    while (keys.executeStep()) {
      add_line(fmt::format("a row of '{}' belongs to no row of '{}'", keys.getColumn(0).getString(),
                           keys.getColumn(2).getString()));
    }
  }

  /// A run makes the folder again; for a failed or cancelled trial it uses the row.
  void check_gone(const std::string& trial, TrialState state) {
    if (!is_in_a_sweep(trial) || state == TrialState::failed || state == TrialState::cancelled) {
      if (has_result(state)) found_.rebuild_loses.insert(trial);
      const bool has_folder = std::filesystem::exists(trial_folder(folder_, trial));
      return add_rows(trial, has_folder ? "has rows and a folder without trial.json"
                                        : "has rows but no folder");
    }
    differs_.insert(trial);
    const std::filesystem::path path = trial_folder(folder_, trial);
    const bool loses_scores =
        !std::filesystem::exists(path) &&
        has_row(statement_of(store_.database(),
                             "SELECT 1 FROM metric WHERE trial = ? AND split = ? LIMIT 1", trial,
                             kImportedSplit));
    add(trial, missing_part_text(path) +
                   (loses_scores ? ", but not its imported scores: import them again" : ""));
  }

  void check_trial(const std::string& trial) {
    const std::filesystem::path path = trial_folder(folder_, trial);
    if (const std::string renamed = renamed_folder_text(path); !renamed.empty()) {
      differs_.insert(trial);
      return add(trial, renamed);
    }
    const StoredFiles files = look_at_files(path);
    found_.files_without_checksum += files.without_checksum;
    const std::optional<TrialRow> row = store_.trial(trial);
    for (const StoredFiles::Damage& damage : files.damaged) {
      const std::string name = damage.file.filename().string();
      const std::string what = fmt::format("{} is damaged ({}); {}", damage.file.string(),
                                           damage.what, remedy_for(name, trial));
      differs_.insert(trial);
      if (row && proves_numbers(name, *row)) {
        add_loss(trial, what + kLoss);
      } else {
        add(trial, what);
      }
    }
    const auto scores = read_outside_scores(path);
    if (!scores) {
      differs_.insert(trial);
      add(trial, fmt::format("{} is damaged; remove it, and import its scores again",
                             (path / kScoresFile).string()));
    }
    if (!row) {
      if (readable_trial(path)) add_rows(trial, "has a folder but no rows");
      return;
    }
    check_attempts(*row, path);
    if (!behind_.count(trial) && !differs_.count(trial)) check_state(*row, path);
    if (row->state == TrialState::done || counts_by_earlier_result(*row))
      check_artifacts(*row, path);
    if (scores && !has_rows_of_scores(store_, trial, *scores))
      add_rows(trial, fmt::format("{} and the database have different scores; the same `rethink "
                                  "score import` again makes the rows, too",
                                  (path / kScoresFile).string()));
    if (hashes_ && !behind_.count(trial)) check_results(*row, path);
  }

  /// Reports a foreign file unless a problem since `before` already names it as an artifact.
  void check_foreign_file(const std::string& trial, size_t before) {
    const std::string foreign = foreign_file(trial_folder(folder_, trial));
    const auto first = found_.problems.begin() + static_cast<ptrdiff_t>(before);
    const bool is_known = std::any_of(first, found_.problems.end(), [&](const std::string& known) {
      return known.ends_with(foreign);
    });
    if (!foreign.empty() && !is_known) add(trial, foreign);
  }

  /// Whether a rebuild without this file loses the trial's numbers.
  bool proves_numbers(const std::string& file, const TrialRow& row) {
    const bool by_earlier = counts_by_earlier_result(row), by_result = has_result(row.state);
    return (file == kOldResultFile && by_earlier) || (file == kResultFile && by_result) ||
           (file == kTrialFile && (by_earlier || by_result));
  }

  /// Whether the earlier result counts, since a repetition has no result yet or ended without one.
  bool counts_by_earlier_result(const TrialRow& row) {
    if (has_result(row.state)) return false;
    return has_row(statement_of(store_.database(),
                                "SELECT 1 FROM counted_trial WHERE id = ? AND counted = ?", row.id,
                                TrialState::done));
  }

  std::string remedy_for(const std::string& file, const std::string& trial) {
    if (file == kTrialFile) return "the next run of its sweep writes it anew";
    if (file == kStateFile) {
      const auto state = state_from_folder(trial_folder(folder_, trial)).state;
      if (state && has_result(*state)) return "remove it: its result.json says how the trial ended";
      return fmt::format("`{}` lets it run again", store_command("retry " + trial, folder_));
    }
    if (file == kEndFile) return "remove it: the events say how the attempt ended";
    if (file == kOldResultFile) {
      const std::optional<TrialRow> row = store_.trial(trial);
      if (row && counts_by_earlier_result(*row))
        return fmt::format("`{}` and the next run of its sweep make its result again",
                           store_command("retry " + trial, folder_));
      return "remove it: the repeated result is then compared with nothing";
    }
    return kRunsAgain;
  }

  void check_state(const TrialRow& row, const std::filesystem::path& path) {
    const FolderState found = state_from_folder(path);
    if (row.begun || row.state == TrialState::running) {
      if (!is_folder_locked(path))
        note(row.id, "was at work when its driver ended; the next run of its sweep goes on");
      return;
    }
    if (found.state && has_result(*found.state) && !has_result(row.state)) {
      if (const std::string damage = damage_of_result(path); !damage.empty()) {
        differs_.insert(row.id);
        said_results_.insert(row.id);
        return add(row.id, damage);
      }
    }
    if (found.state && *found.state != row.state) {
      if (has_result(row.state)) found_.rebuild_loses.insert(row.id);
      add_rows(row.id, fmt::format("is {} in the database and {} in its folder", to_text(row.state),
                                   to_text(*found.state)));
    }
    const bool needs_state_file = row.state == TrialState::failed ||
                                  (row.state == TrialState::cancelled && !is_in_a_sweep(row.id));
    if (!found.state && needs_state_file)
      add_rows(row.id,
               fmt::format("is {} in the database and not in its folder", to_text(row.state)));
    if (!found.state && has_result(row.state)) {
      add_loss(row.id, fmt::format("is {} in the database and has no result.json; {}{}",
                                   to_text(row.state), kRunsAgain, kLoss));
    } else if (row.state == TrialState::done && !store_.result_reached(path)) {
      add_rows(row.id, "is done, but not all of its events are in");
    }
  }

  /// Why a rebuild would not accept the trial's sound result.json, with the advice; empty if it
  /// would.
  static std::string damage_of_result(const std::filesystem::path& path) {
    const std::filesystem::path file = path / kResultFile;
    if (!trial_events_are_whole(path))
      return fmt::format("{} rests on events that are damaged or missing; {}", file.string(),
                         kRunsAgain);
    const auto proved = proved_result(file);
    return !proved || proved->is_sound() ? "" : result_damage(file, proved->damage);
  }

  void check_lost_sweeps(const std::vector<SweepFile>& files) {
    for (const auto& [sweep, trials] : lost_sweeps(store_, files)) {
      found_.problems.push_back(lost_sweep_text(sweep, trials.size(), folder_) +
                                fmt::format(": its next run with the same options writes one; "
                                            "`{}` deletes the sweep from the record",
                                            store_command("db rebuild", folder_)));
    }
  }

  void check_attempts(const TrialRow& row, const std::filesystem::path& path) {
    const std::string& trial = row.id;
    const std::map<int64_t, std::filesystem::path> folders = attempt_folders(path);
    const std::map<int64_t, int64_t> final_bytes = bytes_of_results(path);
    const bool at_work = is_folder_locked(path);
    // Events of a done trial are not read again; check_state reports such trials.
    const bool is_read_later = row.state != TrialState::done || store_.result_reached(path);
    std::optional<bool> known_whole;  // computed for few trials, since it reads the events
    const auto is_whole = [&] {
      if (!known_whole) known_whole = trial_events_are_whole(path);
      return *known_whole;
    };
    // Events that had been read are missing from the file.
    const auto add_unproved = [&](const std::string& what) {
      if (!has_result(row.state) || is_whole()) return add_rows(trial, what);
      add_loss(trial, what + "; a rebuild loses its numbers; " + how_to_restore(folder_, trial));
    };
    if (has_result(row.state) && store_.lacks_events(trial) && !is_whole())
      add(trial,
          fmt::format("lacks events of an attempt from which a later one went on: after `{}` "
                      "the next run of its sweep makes it again",
                      store_command("db rebuild", folder_)));
    SQLite::Statement rows =
        statement_of(store_.database(),
                     "SELECT number, bytes_read, damaged FROM attempt WHERE trial = ?", trial);
    std::set<int64_t> unread;
    for (const auto& [number, folder] : folders) unread.insert(number);
    while (rows.executeStep()) {
      const int64_t number = rows.getColumn(0), read = rows.getColumn(1);
      unread.erase(number);
      const std::filesystem::path events = TrialFolder(path).events(number);
      std::error_code missing;
      const auto bytes = static_cast<int64_t>(std::filesystem::file_size(events, missing));
      const auto final = final_bytes.find(number);
      const bool damaged = rows.getColumn(2).getInt() != 0;
      if (!folders.count(number)) {
        add_unproved(fmt::format("has rows of attempt {}, which has no folder", number));
      } else if (read > 0 && (missing || bytes < read)) {
        add_unproved(fmt::format("{} is shorter than what was read of it ({} bytes)",
                                 events.string(), read));
      } else if (damaged && !is_whole()) {
        differs_.insert(trial);
        add(trial, fmt::format("{} is damaged after byte {}; the next run of its sweep mends it",
                               events.string(), read));
      } else if (const int64_t good = hashes_ && !missing ? bytes_of_good_lines(events) : read;
                 good < read) {
        add_unproved(
            fmt::format("{} was damaged after byte {} since it was read", events.string(), good));
      } else if (final != final_bytes.end() && bytes > final->second &&
                 bytes_of_good_lines(events) < bytes) {
        add(trial, fmt::format("{} has {} bytes after the last event, which ends at byte {}; "
                               "nobody reads them: they may be cut off",
                               events.string(), bytes - final->second, final->second));
      } else if (!damaged && !at_work && is_read_later && bytes > read &&
                 has_lines_after(events, read)) {
        note(trial, fmt::format("{} has events after byte {} that are not in the database; the "
                                "next run of its sweep reads them",
                                events.string(), read));
      }
    }
    if (!unread.empty() && !at_work && is_read_later)
      note(trial,
           "has attempts that are not in the database; the next run of its sweep reads them");
  }

  /// The end of the events of each attempt that left a result, by the attempt's number.
  static std::map<int64_t, int64_t> bytes_of_results(const std::filesystem::path& path) {
    std::map<int64_t, int64_t> bytes;
    for (const char* name : {kOldResultFile, kResultFile}) {
      if (const auto result = sound_result(path / name))
        bytes[result->at("attempt")] = result->at("events");
    }
    return bytes;
  }

  /// Every line has a checksum.
  static int64_t bytes_of_good_lines(const std::filesystem::path& events) {
    return static_cast<int64_t>(read_events(events, 0, [](const Json&) {}).offset);
  }

  /// An unfinished last line is not an event.
  static bool has_lines_after(const std::filesystem::path& events, int64_t offset) {
    const FileDescriptor file = open_store_file(events, O_RDONLY);
    lseek(file.get(), static_cast<off_t>(offset), SEEK_SET);
    return read_rest(file.get(), events, kMostEventBytes).find('\n') != std::string::npos;
  }

  bool is_in_a_sweep(const std::string& trial) {
    return has_row(statement_of(store_.database(),
                                "SELECT 1 FROM sweep_trial WHERE trial = ? LIMIT 1", trial));
  }

  void check_results(const TrialRow& row, const std::filesystem::path& path) {
    for (const char* name : {kResultFile, kOldResultFile}) {
      const std::filesystem::path file = path / name;
      const auto result = stored_result(file);
      // Problems of the file itself are already reported.
      if (!result || !result->is_sound()) continue;
      if (std::string_view(name) == kResultFile && said_results_.count(row.id)) continue;
      const std::string damage = contradiction_of(*result, path);
      if (damage.empty()) continue;
      if (std::string_view(name) == kResultFile && has_result(row.state)) {
        add_loss(row.id, result_damage(file, damage) + kLoss);
      } else if (proves_numbers(name, row)) {
        add_loss(row.id, fmt::format("{} is damaged ({}); {}{}", file.string(), damage,
                                     remedy_for(name, row.id), kLoss));
      } else {
        differs_.insert(row.id);
        add(row.id,
            fmt::format("{} is damaged ({}); {}", file.string(), damage, remedy_for(name, row.id)));
      }
    }
  }

  void check_artifacts(const TrialRow& row, const std::filesystem::path& path) {
    const std::string& trial = row.id;
    SQLite::Statement rows = statement_of(
        store_.database(), "SELECT path, sha256, bytes FROM artifact WHERE trial = ?", trial);
    while (rows.executeStep()) {
      const std::filesystem::path file = path / rows.getColumn(0).getString();
      std::string what;
      if (const std::string problem = store_file_problem(file); !problem.empty()) {
        add(trial, problem);
        continue;
      }
      if (!std::filesystem::exists(file)) {
        // `gc` removes the files of trials in no sweep, and a repetition is meant to make missing
        // files again.
        if (row.state == TrialState::done && is_in_a_sweep(trial)) what = "is missing";
      } else if (static_cast<int64_t>(std::filesystem::file_size(file)) !=
                 rows.getColumn(2).getInt64()) {
        what = "has another size than when it was made";
      } else if (hashes_ && sha256_file(file) != rows.getColumn(1).getString()) {
        what = "has another SHA-256 than when it was made";
      }
      if (!what.empty()) {
        add(trial, fmt::format("{} {}; {}", file.string(), what, how_to_restore(folder_, trial)));
      }
    }
  }

  void check_rows() {
    const RowDifferences rows = compare_rows(store_, folder_);
    for (const std::string& trial : rows.behind) {
      if (!behind_.count(trial) && !differs_.count(trial))
        note(trial, "its folder says more than was read by now; its rows were not compared");
    }
    for (const auto& [trial, what] : rows.trials) {
      if (!differs_.count(trial) && !behind_.count(trial)) add_rows(trial, "has " + what);
    }
    for (const std::string& what : rows.others) {
      found_.problems.push_back("database: has " + what);
      found_.rebuild_helps = true;
    }
  }

  const std::filesystem::path& folder_;
  bool hashes_;
  Store store_;
  StoreCheck found_;
  std::set<std::string> behind_;   // trials with a note
  std::set<std::string> differs_;  // trials whose difference between rows and folder is reported
  std::set<std::string> said_results_;  // trials whose damaged result.json is reported
  std::set<std::string> foreign_;       // trials with a part that rethink did not make
};

}  // namespace

StoreCheck check_store(const std::filesystem::path& folder, bool hashes) {
  return Check(folder, hashes).run();
}

}  // namespace rethink
