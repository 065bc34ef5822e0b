#include "results/store/ingest.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/files/file.h"
#include "core/files/store_file.h"
#include "core/json.h"
#include "core/store_files/attempt_end.h"
#include "core/store_files/event.h"
#include "core/store_files/result_file.h"
#include "core/store_files/trial_folder.h"
#include "core/system/log.h"
#include "results/database/schema.h"
#include "results/folders/outside_scores.h"
#include "results/folders/stored_trial.h"
#include "results/store/store_state.h"

namespace rethink {
namespace {

/// How far the events of an attempt were read.
struct AttemptRead {
  uint64_t bytes = 0;
  int64_t lines = 0;
  bool damaged = false;
  AttemptRow row;  // the row in the database
};

/// The attempt's end according to the driver; nothing if the driver wrote none.
std::optional<AttemptRow> driver_end(const std::filesystem::path& attempt) {
  const std::optional<AttemptEnd> end = read_attempt_end(attempt);
  if (!end) return std::nullopt;
  return AttemptRow{"", 0, end->outcome, end->message, end->facts()};
}

uint64_t size_of(const std::filesystem::path& file) {
  std::error_code missing;
  const uint64_t size = std::filesystem::file_size(file, missing);
  return missing ? 0 : size;
}

/// A number that is finite; "nan", "inf" and "-inf" do not fit a column of numbers.
std::optional<double> finite(const Json& event, const char* member) {
  const auto found = event.find(member);
  return found != event.end() && found->is_number() ? std::optional(found->get<double>())
                                                    : std::nullopt;
}

std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : canonical_json(value);
}

/// The number of a trial's metric in the database, which is assigned at its first use.
int64_t series_number(Store& store, const std::string& trial, const std::string& split,
                      const std::string& name) {
  SQLite::Statement add =
      statement_of(store.database(),
                   "INSERT OR IGNORE INTO series(trial, split, name, id) VALUES(?,?,?,(SELECT "
                   "ifnull(max(id), 0) + 1 FROM series))",
                   trial, split, name);
  run_once(store, add);
  SQLite::Statement number = statement_of(
      store.database(), "SELECT id FROM series WHERE trial = ? AND split = ? AND name = ?", trial,
      split, name);
  number.executeStep();
  return number.getColumn(0).getInt64();
}

/// A metric of step 0, which belongs to no attempt.
void put_metric(Store& store, const std::string& trial, const OutsideScore& score) {
  SQLite::Statement put =
      statement_of(store.database(), "INSERT INTO metric_value(series, step, value) VALUES(?,0,?)",
                   series_number(store, trial, kImportedSplit, score.name), score.value);
  run_once(store, put);
}

void put_event(Store& store, const std::string& trial, int64_t line, const OutsideScore& score) {
  SQLite::Statement put = statement_of(
      store.database(),
      "INSERT INTO event(trial, attempt, line, event, level, text, body) VALUES(?,0,?,?,NULL,?,?)",
      trial, line, kImportedSplit,
      fmt::format("{} {} from {}", score.name, shortest(score.value), score.source()),
      canonical_json(to_json(score)));
  run_once(store, put);
}

}  // namespace

/// One call of ingest_events: each line of an event file counts once, because the offset read is stored
/// in the same transaction as the rows.
class Ingest {
 public:
  Ingest(Store& store, const std::filesystem::path& folder)
      : store_(store), folder_(folder), trial_(folder.filename().string()) {}

  bool run() {
    const std::map<int64_t, std::filesystem::path> folders = attempt_folders(folder_);
    std::map<int64_t, AttemptRead> known = known_attempts();
    const bool lost = lost_bytes(folders, known) || has_late_events(folders, known);
    std::vector<int64_t> grown;
    for (const auto& [number, path] : folders) {
      const auto read = known.find(number);
      if (lost || read == known.end() || has_news(path, read->second)) grown.push_back(number);
    }
    if (grown.empty() && !lost) return !damaged();
    WriteScope scope(store_);
    if (known.empty() && !store_.trial(trial_))
      store_.put_trial(required_trial(folder_), TrialState::waiting);
    if (lost) forget(known);
    for (const int64_t number : grown) take_attempt(number, folders.at(number), known[number]);
    if (has_outside_scores(folder_)) put_outside_scores(store_, folder_);
    const bool good = !damaged();
    lose_attempts_without_events();
    scope.done();
    return good;
  }

 private:
  std::map<int64_t, AttemptRead> known_attempts() const {
    std::map<int64_t, AttemptRead> known;
    for (AttemptRow& row : store_.attempts(trial_)) known[row.number].row = std::move(row);
    SQLite::Statement& query = store_.prepared(
        "SELECT number, bytes_read, lines_read, damaged FROM attempt WHERE trial = ?", trial_);
    while (query.executeStep()) {
      AttemptRead& read = known[query.getColumn(0).getInt64()];
      read.bytes = static_cast<uint64_t>(query.getColumn(1).getInt64());
      read.lines = query.getColumn(2).getInt64();
      read.damaged = query.getColumn(3).getInt() != 0;
    }
    query.reset();
    return known;
  }

  static bool has_news(const std::filesystem::path& folder, const AttemptRead& read) {
    if (const std::optional<AttemptRow> end = driver_end(folder)) {
      const Json facts = facts_with(read.row.facts, end->facts);
      if (end->outcome != read.row.outcome ||
          (!end->message.empty() && end->message != read.row.message) || facts != read.row.facts)
        return true;
    }
    return !read.damaged && size_of(folder / kEventsFile) > read.bytes;
  }

  /// Whether bytes that had been read are missing after a power cut, or a whole attempt was
  /// removed.
  static bool lost_bytes(const std::map<int64_t, std::filesystem::path>& folders,
                         const std::map<int64_t, AttemptRead>& known) {
    for (const auto& [number, read] : known) {
      const auto folder = folders.find(number);
      if (folder == folders.end() || size_of(folder->second / kEventsFile) < read.bytes)
        return true;
    }
    return false;
  }

  /// Whether a missing attempt was put back after a later attempt had been read.
  static bool has_late_events(const std::map<int64_t, std::filesystem::path>& folders,
                              std::map<int64_t, AttemptRead>& known) {
    if (known.empty()) return false;
    bool any = false;
    for (const auto& [number, path] : folders) {
      const std::filesystem::path events = path / kEventsFile;
      const AttemptRead read = known[number];
      if (number >= known.rbegin()->first || read.damaged || size_of(events) <= read.bytes)
        continue;
      read_events(events, read.bytes, [&](const Json&) { any = true; });
    }
    return any;
  }

  void forget(std::map<int64_t, AttemptRead>& known) {
    for (const std::string table : kTablesOfTrials) {
      if (table == "trial_need") continue;  // of trial.json
      SQLite::Statement drop = statement_of(
          store_.database(), fmt::format("DELETE FROM {} WHERE trial = ?", table), trial_);
      run_once(store_, drop);
    }
    series_.clear();
    for (auto& [number, read] : known) read = {};
  }

  void take_attempt(int64_t number, const std::filesystem::path& folder, const AttemptRead& read) {
    store_.put_attempt({trial_, number, {}, "", Json::object()});
    attempt_ = number;
    repeats_ = last_done_before(number);
    replaces_ = false;
    if (!read.damaged && std::filesystem::exists(folder / kEventsFile)) {
      take_events(folder / kEventsFile, read);
    }
    if (replaces_) replace_numbers();
    // The driver's record decides, since the driver knows limits and signals.
    if (std::optional<AttemptRow> end = driver_end(folder)) {
      end->trial = trial_;
      end->number = number;
      store_.put_attempt(*end);
    }
  }

  /// The attempt that made the trial done before attempt `number` began. If the trial is repeated
  /// for its files, its results stay until the repetition is done.
  std::optional<int64_t> last_done_before(int64_t number) const {
    // The result counts too: a driver that lost the process may have written another outcome.
    const std::optional<Json> old_result = sound_result(folder_ / kOldResultFile);
    SQLite::Statement& query = store_.prepared(
        "SELECT max(number) FROM attempt WHERE trial = ?1 AND number < ?2 AND "
        "(outcome = ?4 OR number = ?3)",
        trial_, number, old_result ? old_result->value("attempt", int64_t{0}) : 0,
        AttemptOutcome::done);
    query.executeStep();
    std::optional<int64_t> found;
    if (!query.isColumnNull(0)) found = query.getColumn(0).getInt64();
    query.reset();
    return found;
  }

  /// After a finished repetition its numbers replace the earlier ones. Earlier attempts are read
  /// again: an attempt that said `done`, but was killed before its result was durable, was resumed
  /// and not repeated, so the events before the resume count.
  void replace_numbers() {
    drop_numbers(0);
    visit_counted_events(event_files(folder_), attempt_,
                         [this](const Json& event) { take_counted(event); });
  }

  /// Makes the numbers of a checkpoint again: rows do not know where in the events they were.
  void return_to(const EventPlace& place) {
    drop_numbers(0);
    visit_counted_events(event_files(folder_), place,
                         [this](const Json& event) { take_counted(event); });
  }

  void take_events(const std::filesystem::path& file, const AttemptRead& read) {
    lines_ = read.lines;
    last_tick_ = Json();
    const EventRead now = read_events(file, read.bytes, [this, &file](const Json& event) {
      ++lines_;
      try {
        take(event);
      } catch (const Json::exception& error) {
        throw MachineError("other-version",
                           fmt::format("{}:{}: {}; it was written by another version of rethink",
                                       file.string(), lines_, error.what()));
      }
    });
    if (!last_tick_.is_null()) take_tick(last_tick_);
    store_.run(
        "UPDATE attempt SET bytes_read = ?1, lines_read = ?2, damaged = ?3 "
        "WHERE trial = ?4 AND number = ?5",
        static_cast<int64_t>(now.offset), lines_, now.damaged, trial_, attempt_);
  }

  void take(const Json& event) {
    const EventKind kind = event_kind(event);
    if (kind == EventKind::tick) {
      last_tick_ = event;
      return;
    }
    if (!repeats_) take_numbers(event);
    if (kind == EventKind::measurement && event.at("name") == kAttemptSeconds) take_seconds(event);
    if (kind == EventKind::metric || kind == EventKind::measurement) return;
    if (kind == EventKind::start) take_start(event);
    if (kind == EventKind::environment) take_found_out(event);
    if (kind == EventKind::end) take_end(event);
    take_line(event);
  }

  /// Takes the events from which the trial's rows of numbers and files follow.
  void take_numbers(const Json& event) {
    const EventKind kind = event_kind(event);
    if (kind == EventKind::metric) take_metric(event);
    if (kind == EventKind::measurement) take_measurement(event);
    if (kind == EventKind::artifact) take_artifact(event);
    if (kind != EventKind::start) return;
    if (const std::optional<EventPlace> place = resume_place_of(event)) {
      return_to(*place);
      drop_artifacts();
    } else if (const std::optional<int64_t> step = resume_step_of(event)) {
      drop_numbers(*step);
    }
  }

  /// The same for an event of visit_counted_events, which leaves out the numbers that an attempt
  /// repeats.
  void take_counted(const Json& event) {
    if (event_kind(event) == EventKind::start && resume_place_of(event)) return drop_artifacts();
    take_numbers(event);
  }

  void take_metric(const Json& event) {
    const int64_t series = series_of(event.at("split").get_ref<const std::string&>(),
                                     event.at("name").get_ref<const std::string&>());
    store_.run("INSERT OR REPLACE INTO metric_value(series, step, value) VALUES(?,?,?)", series,
               event.at("step").get<int64_t>(), finite(event, "value"));
  }

  int64_t series_of(const std::string& split, const std::string& name) {
    const auto [place, is_new] = series_.try_emplace({split, name});
    if (is_new) place->second = series_number(store_, trial_, split, name);
    return place->second;
  }

  void take_measurement(const Json& event) {
    const std::string& name = event.at("name").get_ref<const std::string&>();
    if (name == kAttemptSeconds) return;
    const bool is_peak = name.starts_with(kPeakPrefix);
    store_.run(
        "INSERT INTO measurement(trial, name, step, value) VALUES(?1,?2,?3,?4) ON CONFLICT DO "
        "UPDATE SET value = iif(?5 AND value > excluded.value, value, excluded.value)",
        trial_, name, is_peak ? 0 : event.at("step").get<int64_t>(), finite(event, "value"),
        is_peak);
  }

  void take_seconds(const Json& event) {
    store_.put_attempt({trial_, attempt_, {}, "", {{"seconds", event.at("value")}}});
  }

  /// Removes rows that a resumed attempt writes again; rows about attempts stay.
  void drop_numbers(int64_t above_step) {
    for (const char* sql : {"DELETE FROM metric_value WHERE series IN (SELECT id FROM series WHERE "
                            "trial = ?1) AND (step > ?2 OR ?2 = 0)",
                            "DELETE FROM series WHERE trial = ?1 AND ?2 IS NOT NULL AND NOT EXISTS("
                            "SELECT 1 FROM metric_value v WHERE v.series = series.id)",
                            "DELETE FROM measurement WHERE trial = ?1 AND (step > ?2 OR ?2 = 0) "
                            "AND name != 'attempt_s' AND name NOT GLOB 'peak_*'"}) {
      store_.run(sql, trial_, above_step);
    }
    series_.clear();
    drop_artifacts();
  }

  void drop_artifacts() { store_.run("DELETE FROM artifact WHERE trial = ?", trial_); }

  void take_start(const Json& event) {
    store_.run("UPDATE attempt SET resume_step = ? WHERE trial = ? AND number = ?",
               resume_step_of(event), trial_, attempt_);
    Json facts = event;
    for (const char* member :
         {"event", "attempt", "trial", "resume_step", "begun", "rests_on", "damaged"})
      facts.erase(member);
    store_.put_attempt({trial_, attempt_, {}, "", facts});
    take_environment(facts, "");
  }

  /// Facts about its machine that an attempt reported after its start.
  void take_found_out(Json facts) {
    facts.erase("event");
    take_environment(facts, "");
  }

  void take_environment(const Json& facts, const std::string& prefix) {
    for (const auto& [name, value] : facts.items()) {
      const std::string key = prefix.empty() ? name : prefix + "." + name;
      if (value.is_object()) {
        take_environment(value, key);
        continue;
      }
      store_.run("INSERT OR REPLACE INTO environment(trial, attempt, name, value) VALUES(?,?,?,?)",
                 trial_, attempt_, key, text_of(value));
    }
  }

  void take_artifact(const Json& event) {
    store_.run(
        "INSERT OR REPLACE INTO artifact(trial, name, kind, path, sha256, bytes, facts) "
        "VALUES(?,?,?,?,?,?,?)",
        trial_, event.at("name").get<std::string>(), event.at("kind").get<std::string>(),
        event.at("file").get<std::string>(), event.at("sha256").get<std::string>(),
        event.at("bytes").get<int64_t>(), canonical_json(event.value("facts", Json::object())));
  }

  void take_end(const Json& event) {
    Json facts = event;
    for (const char* member : {"event", "outcome", "message"}) facts.erase(member);
    const AttemptOutcome outcome = attempt_outcome_named(event.at("outcome"));
    store_.put_attempt({trial_, attempt_, outcome, event.value("message", ""), facts});
    replaces_ = repeats_ && outcome == AttemptOutcome::done;
  }

  void take_line(const Json& event) {
    const auto text_at = [&](const char* member) {
      return event.contains(member) ? std::optional(text_of(event.at(member))) : std::nullopt;
    };
    store_.run(
        "INSERT INTO event(trial, attempt, line, event, level, text, body) VALUES(?,?,?,?,?,?,?)",
        trial_, attempt_, lines_, event.at("event").get<std::string>(), text_at("level"),
        text_at("text"), canonical_json(event));
  }

  void take_tick(const Json& event) {
    store_.run(
        "INSERT OR REPLACE INTO progress(trial, attempt, step, steps, loss, steps_per_s) "
        "VALUES(?,?,?,?,?,?)",
        trial_, attempt_, event.at("step").get<int64_t>(), event.at("of").get<int64_t>(),
        finite(event, "loss"), finite(event, "steps_per_s"));
  }

  /// An attempt with a result is done only if all events are there on which the result rests.
  /// Otherwise its remaining numbers would count as complete.
  void lose_attempts_without_events() {
    for (const char* name : {kOldResultFile, kResultFile}) {
      const std::optional<Json> result = sound_result(folder_ / name);
      if (!result || has_all_events(*result)) continue;
      store_.run(
          "UPDATE attempt SET outcome = ?3, message = 'its events are damaged' WHERE trial = ?1 "
          "AND number = ?2 AND outcome = ?4",
          trial_, result->at("attempt").get<int64_t>(), AttemptOutcome::lost, AttemptOutcome::done);
    }
  }

  /// Reads the events only if the rows leave a doubt.
  bool has_all_events(const Json& result) const {
    const bool reached = has_row(store_.prepared(
        "SELECT 1 FROM attempt WHERE trial = ?1 AND number = ?2 AND bytes_read >= ?3", trial_,
        result.at("attempt").get<int64_t>(), result.at("events").get<int64_t>()));
    if (!reached) return false;
    return !has_gap() || result_events_are_whole(folder_, result);
  }

  /// A damaged or missing line matters if the trial's numbers rest on it.
  bool damaged() const { return has_gap() && !trial_events_are_whole(folder_); }

  /// Whether any attempt has a gap, even if it does not matter.
  bool has_gap() const {
    return has_row(store_.prepared("SELECT 1 FROM attempt WHERE trial = ? AND damaged LIMIT 1",
                                   trial_)) ||
           store_.lacks_events(trial_);
  }

  Store& store_;
  const std::filesystem::path& folder_;
  const std::string trial_;
  int64_t attempt_ = 0;
  int64_t lines_ = 0;  // lines of the attempt that were read
  Json last_tick_;
  // Ids of series by split and name.
  std::map<std::pair<std::string, std::string>, int64_t> series_;
  std::optional<int64_t> repeats_;  // the attempt that this attempt repeats
  bool replaces_ = false;           // it is done
};

bool ingest_events(Store& store, const std::filesystem::path& trial_folder) {
  return Ingest(store, trial_folder).run();
}

bool has_rows_of_scores(Store& store, const std::string& trial,
                        const std::vector<OutsideScore>& scores) {
  SQLite::Statement rows = statement_of(
      store.database(),
      "SELECT body FROM event WHERE trial = ? AND attempt = 0 AND event = ? ORDER BY line", trial,
      kImportedSplit);
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
                    (trial_folder / kScoresFile).string()));
  }
  WriteScope scope(store);
  for (const char* sql : {"DELETE FROM series WHERE trial = ?1 AND split = ?2",
                          "DELETE FROM event WHERE trial = ?1 AND attempt = 0 AND event = ?2"}) {
    SQLite::Statement drop = statement_of(store.database(), sql, trial, kImportedSplit);
    run_once(store, drop);
  }
  const std::vector<OutsideScore> found = scores.value_or(std::vector<OutsideScore>{});
  for (const auto& [name, score] : newest_scores(found)) put_metric(store, trial, score);
  int64_t line = 0;
  for (const OutsideScore& score : found) put_event(store, trial, ++line, score);
  scope.done();
}

}  // namespace rethink
