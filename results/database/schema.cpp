#include "results/database/schema.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <set>
#include <string_view>

#include "core/error.h"
#include "core/message.h"
#include "core/trial_state.h"
#include "results/database/connection.h"
#include "results/database/database_error.h"
#include "results/database/sql_expressions.h"
#include "results/database/statement.h"

namespace rethink {
namespace {

/// Returns `sql` with `words` in place of "[words]".
std::string with_words(std::string sql, const std::string& words) {
  constexpr std::string_view kPlace = "[words]";
  return sql.replace(sql.find(kPlace), kPlace.size(), words);
}

constexpr const char* kTrialTables = R"sql(
CREATE TABLE trial_record(
  id TEXT NOT NULL PRIMARY KEY CHECK(length(id) = 20),
  job TEXT NOT NULL,
  told TEXT CHECK(told IN ([words])),
  seed INTEGER,
  message TEXT NOT NULL DEFAULT '',
  configuration TEXT NOT NULL,
  data TEXT NOT NULL DEFAULT '{}',
  imported TEXT NOT NULL DEFAULT '{}',
  revisions TEXT NOT NULL DEFAULT '{}'
) STRICT;
CREATE INDEX trial_record_by_told ON trial_record(told);

CREATE TABLE trial_need(
  trial TEXT NOT NULL REFERENCES trial_record(id) ON DELETE CASCADE,
  slot TEXT NOT NULL,
  position INTEGER NOT NULL,
  need TEXT NOT NULL,
  may_diverge INTEGER NOT NULL DEFAULT 0 CHECK(may_diverge IN (0, 1)),
  PRIMARY KEY(trial, slot, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX trial_need_by_need ON trial_need(need);)sql";

constexpr const char* kSweepTables = R"sql(
CREATE TABLE sweep(
  sweep TEXT NOT NULL,
  profile TEXT NOT NULL,
  source TEXT NOT NULL DEFAULT '',
  PRIMARY KEY(sweep, profile)
) STRICT, WITHOUT ROWID;

CREATE TABLE sweep_trial(
  sweep TEXT NOT NULL,
  profile TEXT NOT NULL,
  position INTEGER NOT NULL,
  stage TEXT NOT NULL,
  labels TEXT NOT NULL,
  trial TEXT NOT NULL,
  cancelled INTEGER NOT NULL DEFAULT 0 CHECK(cancelled IN (0, 1)),
  PRIMARY KEY(sweep, profile, position),
  FOREIGN KEY(sweep, profile) REFERENCES sweep(sweep, profile) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX sweep_trial_by_trial ON sweep_trial(trial);
CREATE INDEX sweep_trial_cancelled ON sweep_trial(trial) WHERE cancelled = 1;

CREATE TABLE sweep_file(
  name TEXT NOT NULL PRIMARY KEY,
  sweep TEXT NOT NULL,
  profile TEXT NOT NULL,
  choice TEXT NOT NULL,
  source TEXT NOT NULL,
  told TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  FOREIGN KEY(sweep, profile) REFERENCES sweep(sweep, profile) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE sweep_file_trial(
  file TEXT NOT NULL REFERENCES sweep_file(name) ON DELETE CASCADE,
  trial TEXT NOT NULL,
  PRIMARY KEY(file, trial)
) STRICT, WITHOUT ROWID;
)sql";

constexpr const char* kAttemptTables = R"sql(
CREATE TABLE attempt(
  trial TEXT NOT NULL REFERENCES trial_record(id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  outcome TEXT NOT NULL DEFAULT '' CHECK(outcome IN
    ('', [words])),
  message TEXT NOT NULL DEFAULT '',
  resume_step INTEGER,
  seconds REAL,
  facts TEXT NOT NULL DEFAULT '{}',
  bytes_read INTEGER NOT NULL DEFAULT 0,
  lines_read INTEGER NOT NULL DEFAULT 0,
  damaged INTEGER NOT NULL DEFAULT 0 CHECK(damaged IN (0, 1)),
  PRIMARY KEY(trial, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX attempt_open ON attempt(trial) WHERE outcome = '';

CREATE TABLE series(
  trial TEXT NOT NULL REFERENCES trial_record(id) ON DELETE CASCADE,
  split TEXT NOT NULL,
  name TEXT NOT NULL,
  id INTEGER NOT NULL UNIQUE,
  PRIMARY KEY(trial, split, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE metric_value(
  series INTEGER NOT NULL REFERENCES series(id) ON DELETE CASCADE,
  step INTEGER NOT NULL,
  value REAL,
  PRIMARY KEY(series, step)
) STRICT, WITHOUT ROWID;

CREATE TABLE measurement(
  trial TEXT NOT NULL REFERENCES trial_record(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  step INTEGER NOT NULL,
  value REAL,
  PRIMARY KEY(trial, name, step)
) STRICT, WITHOUT ROWID;

CREATE TABLE artifact(
  trial TEXT NOT NULL REFERENCES trial_record(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  path TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  facts TEXT NOT NULL DEFAULT '{}',
  PRIMARY KEY(trial, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE event(
  trial TEXT NOT NULL REFERENCES trial_record(id) ON DELETE CASCADE,
  attempt INTEGER NOT NULL,
  line INTEGER NOT NULL,
  event TEXT NOT NULL,
  level TEXT,
  text TEXT,
  body TEXT NOT NULL,
  PRIMARY KEY(trial, attempt, line)
) STRICT, WITHOUT ROWID;

CREATE TABLE environment(
  trial TEXT NOT NULL REFERENCES trial_record(id) ON DELETE CASCADE,
  attempt INTEGER NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY(trial, attempt, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE progress(
  trial TEXT NOT NULL PRIMARY KEY REFERENCES trial_record(id) ON DELETE CASCADE,
  attempt INTEGER NOT NULL,
  step INTEGER NOT NULL,
  steps INTEGER NOT NULL,
  loss REAL,
  steps_per_s REAL
) STRICT, WITHOUT ROWID;

CREATE TABLE configuration_key(
  key TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL,
  varies INTEGER NOT NULL CHECK(varies IN (0, 1))
) STRICT, WITHOUT ROWID;
)sql";

/// SQL for whether every sweep with trial `t` has cancelled it.
constexpr const char* kGivenUp =
    "(EXISTS(SELECT 1 FROM sweep_trial s WHERE s.trial = t.id AND s.cancelled = 1) AND NOT EXISTS("
    "SELECT 1 FROM sweep_trial s WHERE s.trial = t.id AND s.cancelled = 0))";

/// SQL for the trials that need, directly or indirectly, a trial that can never give its result:
/// need_state() of core/trial_state.h, and all trials that it blocks.
constexpr const char* kLostNeeds =
    "(WITH RECURSIVE lost(trial) AS (\n"
    "      SELECT n.trial FROM trial_record t JOIN trial_need n ON n.need = t.id\n"
    "        WHERE t.told IN ({lost}) OR t.told = {diverged} AND NOT n.may_diverge\n"
    "      UNION SELECT n.trial FROM (SELECT DISTINCT trial AS id FROM sweep_trial WHERE cancelled "
    "= 1) t\n"
    "        JOIN trial_record r ON r.id = t.id AND {is_untold} JOIN trial_need n ON n.need = "
    "t.id WHERE {given_up}\n"
    "      UNION SELECT n.trial FROM lost l JOIN trial_record r ON r.id = l.trial AND "
    "{may_be_lost}\n"
    "        JOIN trial_need n ON n.need = l.trial)\n"
    "    SELECT trial FROM lost)";

/// SQL for whether trial `t` needs a trial without a result.
constexpr const char* kOpenNeed =
    "EXISTS(SELECT 1 FROM trial_need n LEFT JOIN trial_record d ON d.id = n.need WHERE n.trial = "
    "t.id\n"
    "      AND d.told IS NOT {done} AND NOT (d.told IS {diverged} AND n.may_diverge))";

/// SQL for whether a worker is running `trial` without its driver. Evaluated for few trials, since
/// most have ended or not begun.
std::string orphan_sql(const char* trial) {
  return fmt::format(
      "(({0}.told = {1} OR EXISTS(SELECT 1 FROM attempt a WHERE a.trial = {0}.id AND "
      "a.outcome = ''))\n      AND has_worker({0}.id))",
      trial, sql_text(TrialState::running));
}

/// SQL of the view `trial`: trial_state() of core/trial_state.h. Without a driver, a started trial
/// is running only if its worker still runs.
std::string trial_select(bool has_driver) {
  const std::string running = sql_text(TrialState::running),
                    diverged = sql_text(TrialState::diverged);
  const std::string told = has_driver ? "t.told" : fmt::format("nullif(t.told, {})", running);
  const std::string is_untold =
      has_driver ? "r.told IS NULL" : fmt::format("coalesce(r.told, {0}) = {0}", running);
  const std::string may_be_lost = is_untold + (has_driver ? "" : " AND NOT " + orphan_sql("r"));
  const std::string orphan =
      has_driver ? "" : fmt::format("    WHEN {} THEN {}\n", orphan_sql("t"), running);
  return fmt::format(
      "SELECT t.id, t.job, CASE\n"
      "    WHEN {told} IS NOT NULL THEN t.told\n"
      "    WHEN {given_up} THEN {cancelled}\n"
      "{orphan}"
      "    WHEN t.id IN {lost_needs} THEN {blocked}\n"
      "    WHEN {open_need} THEN {waiting}\n"
      "    ELSE {ready} END AS state,\n"
      "    t.seed, t.message, t.configuration, t.data, t.imported, t.revisions FROM trial_record t",
      fmt::arg("told", told), fmt::arg("given_up", kGivenUp), fmt::arg("orphan", orphan),
      fmt::arg("lost_needs",
               fmt::format(kLostNeeds,
                           fmt::arg("lost", sql_list({TrialState::failed, TrialState::cancelled})),
                           fmt::arg("diverged", diverged), fmt::arg("given_up", kGivenUp),
                           fmt::arg("is_untold", is_untold), fmt::arg("may_be_lost", may_be_lost))),
      fmt::arg("open_need", fmt::format(kOpenNeed, fmt::arg("done", sql_text(TrialState::done)),
                                        fmt::arg("diverged", diverged))),
      fmt::arg("cancelled", sql_text(TrialState::cancelled)),
      fmt::arg("blocked", sql_text(TrialState::blocked)),
      fmt::arg("waiting", sql_text(TrialState::waiting)),
      fmt::arg("ready", sql_text(TrialState::ready)));
}

/// SQL of the view `counted_trial`: the view `trial`, and `counted`, the state by which a trial
/// counts in tables, curves and means. This is the trial's own state, except in a repetition: a
/// trial that runs again for its files, and whose result was set aside, stays `done` until the
/// repetition is done, and also if the repetition fails or is cancelled, since the earlier attempt
/// has all numbers. An attempt with a damaged result or damaged events is not done (ingest,
/// index_trial). `repetition` is the state of a repetition that ended without a result, else NULL.
std::string counted_trial_select() {
  // A trial that was running when its driver died may have reported `done` before its result was
  // recorded.
  const std::string counted = fmt::format(
      "iif(t.state NOT IN ({results}) AND EXISTS(SELECT 1 FROM attempt a WHERE a.trial = t.id AND "
      "a.outcome = {done_attempt} AND (t.state != {running} AND NOT EXISTS(SELECT 1 FROM "
      "trial_record r WHERE r.id = t.id AND r.told = {running}) OR a.number < (SELECT max(number) "
      "FROM attempt b WHERE b.trial = t.id)) AND NOT EXISTS(SELECT 1 FROM attempt d WHERE d.trial "
      "= t.id AND d.number <= a.number AND d.damaged)), {done}, t.state)",
      fmt::arg("results", sql_list(has_result)),
      fmt::arg("done_attempt", sql_text(AttemptOutcome::done)),
      fmt::arg("running", sql_text(TrialState::running)),
      fmt::arg("done", sql_text(TrialState::done)));
  return fmt::format(
      "SELECT t.*, {0} AS counted, iif(t.state IN ({1}) AND {0} = {2}, t.state, NULL) AS "
      "repetition FROM trial t",
      counted, sql_list({TrialState::failed, TrialState::cancelled, TrialState::blocked}),
      sql_text(TrialState::done));
}

using View = std::pair<const char*, std::string>;  // name and SELECT

/// All views except `runs`, whose columns depend on the configurations. With CROSS JOIN SQLite
/// reads series by series, never all values first.
std::vector<View> fixed_views(bool has_driver) {
  return {
      {"trial", trial_select(has_driver)},
      {"metric",
       "SELECT s.trial, s.split, s.name, v.step, v.value FROM series s CROSS JOIN metric_value v "
       "ON v.series = s.id"},
      {"final",
       "SELECT s.trial, s.split, s.name, v.step, v.value FROM series s CROSS JOIN metric_value v "
       "ON v.series = s.id\n"
       "    AND v.step = (SELECT max(m.step) FROM metric_value m WHERE m.series = s.id)"},
      {"label",
       "SELECT s.sweep, s.profile, s.stage, s.trial, j.key AS label, j.value AS value\n"
       "  FROM sweep_trial s, json_each(s.labels) j"},
      {"configuration",
       "SELECT t.id AS trial, replace(substr(j.fullkey, 3), '\"', '') AS key,\n"
       "    CASE j.type WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE j.atom END AS "
       "value\n"
       "  FROM trial_record t, json_tree(t.configuration) j WHERE j.atom IS NOT NULL"},
      {"message", "SELECT trial, attempt, line, level, text FROM event WHERE event = 'message'"}};
}

/// Views on the tables of formats 1 and 2 in the form of today's tables, so that readers use the
/// same queries.
std::vector<View> views_of_old_tables() {
  return {
      {"trial_record",
       fmt::format(
           "SELECT rowid, id, job, iif(state IN ({}), state, NULL) AS told, seed, message, "
           "configuration, data, imported, revisions FROM main.trial WHERE id IN (SELECT id FROM "
           "trial)",
           sql_list(is_stored_state))},
      {"series", "SELECT DISTINCT trial, split, name FROM metric"},
      {"final",
       "SELECT trial, split, name, max(step) AS step, value FROM metric GROUP BY trial, "
       "split, name"}};
}

std::string statements_of(const std::vector<View>& views, const char* kind) {
  std::string statements;
  for (const auto& [name, select] : views)
    statements += fmt::format("CREATE {} {} AS\n  {};\n", kind, name, select);
  return statements;
}

// Columns of each kind: SQLite allows 2,000, and people read fewer.
constexpr size_t kMostColumns = 500;

/// SQL for the values of a label of trial `t` in sweeps.
std::string label_sql(const std::string& label) {
  return fmt::format(
      "(SELECT group_concat(l.value, ', ') FROM (SELECT DISTINCT j.value AS value FROM sweep_trial "
      "s, json_each(s.labels) j WHERE s.trial = t.id AND j.key = {}) l)",
      sql_text(label));
}

/// SQL for a final value of trial `t`: "test/perplexity@best".
std::string final_sql(const std::string& metric) {
  const size_t slash = metric.find('/');
  return fmt::format(
      "(SELECT f.value FROM final f WHERE f.trial = t.id AND f.split = {} AND f.name = {})",
      sql_text(metric.substr(0, slash)), sql_text(metric.substr(slash + 1)));
}

/// SQL of the view `runs`.
std::string runs_select(const RunsColumns& of) {
  std::string columns;
  const auto add = [&](const std::vector<std::string>& names, const auto& sql_of) {
    for (size_t i = 0; i < std::min(names.size(), kMostColumns); ++i)
      columns += fmt::format(",\n  {} AS {}", sql_of(names[i]), sql_name(names[i]));
  };
  add(of.keys, [](const std::string& key) {
    return fmt::format("json_extract(t.configuration, {})", json_path(key));
  });
  add(of.labels, label_sql);
  add(of.finals, final_sql);
  return fmt::format(R"sql(SELECT t.id AS trial, t.job, t.state, t.seed,
  (SELECT m.value FROM metric m WHERE m.trial = t.id AND m.name IN ('score@last', 'score')
   ORDER BY m.split != 'test', m.split != 'dev', m.name != 'score@last', m.step DESC LIMIT 1) AS score,
  (SELECT count(*) FROM attempt a WHERE a.trial = t.id) AS attempts,
  (SELECT sum(a.seconds) FROM attempt a WHERE a.trial = t.id) AS seconds,
  (SELECT group_concat(s.sweep, ', ') FROM (SELECT DISTINCT sweep FROM sweep_trial WHERE trial = t.id) s) AS sweeps,
  {} AS message{} FROM trial t)sql",
                     reason_sql(), columns);
}

int pragma(SQLite::Database& database, const char* name) {
  return database.execAndGet(fmt::format("PRAGMA {}", name)).getInt();
}

/// Throws if the database is damaged, not a store's, or of a newer version. Requires: it is not empty.
void check_ours(SQLite::Database& database, const std::filesystem::path& path,
                const std::filesystem::path& store) {
  const int application = pragma(database, "application_id"),
            format = pragma(database, "user_version");
  if (application != kApplicationId) {
    throw MachineError(
        "wrong-file", fmt::format("{}: is not a database of rethink; move it away", path.string()));
  }
  if (has_invalid_format(database)) {
    throw MachineError(
        "damaged-database",
        fmt::format("{}: the database is damaged (format {}, which no version writes); `{}` makes "
                    "it again from "
                    "the trials' folders",
                    path.string(), format, store_command("db rebuild", store)));
  }
  if (format > static_cast<int>(kNewestFormat)) {
    throw MachineError(
        "newer-version",
        fmt::format("{}: was written by a newer version of rethink (format {}, this program knows "
                    "up to {}); use that "
                    "version or a newer one",
                    path.string(), format, kNewestFormat));
  }
}

}  // namespace

bool is_stored_state(TrialState state) {
  return is_recorded_in_folder(state) || state == TrialState::running;
}

bool has_invalid_format(SQLite::Database& database) {
  return pragma(database, "application_id") == kApplicationId &&
         pragma(database, "user_version") < 1;
}

std::filesystem::path name_of_old_format(const std::filesystem::path& database, int format) {
  const std::string first = fmt::format("{}.format{}", database.string(), format);
  std::string name = first;
  const auto is_taken = [&] {
    return std::ranges::any_of(std::array{"", "-wal", "-shm"}, [&](const char* part) {
      return std::filesystem::is_directory(name + part);
    });
  };
  for (int n = 2; is_taken(); ++n) name = fmt::format("{}-{}", first, n);
  return name;
}

void make_tables(SQLite::Database& database, const std::filesystem::path& path,
                 const std::filesystem::path& store) {
  if (database.execAndGet("SELECT count(*) FROM sqlite_schema").getInt() != 0)
    return check_format(database, path, store, kNewestFormat);
  const std::vector<AttemptOutcome> outcomes(kAttemptOutcomes.begin(), kAttemptOutcomes.end());
  database.exec("BEGIN IMMEDIATE");
  try {
    database.exec(with_words(kTrialTables, sql_list(is_stored_state)) + kSweepTables +
                  with_words(kAttemptTables, sql_list(outcomes)) + "\n" +
                  statements_of(fixed_views(true), "VIEW") + runs_view({}));
    database.exec(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}",
                              kApplicationId, kNewestFormat));
    database.exec("COMMIT");
  } catch (...) {
    database.tryExec("ROLLBACK");
    throw;
  }
}

void check_format(SQLite::Database& database, const std::filesystem::path& path,
                  const std::filesystem::path& store, size_t oldest) {
  check_ours(database, path, store);
  const int format = pragma(database, "user_version");
  if (format < static_cast<int>(oldest)) {
    const std::string remedy = path == store
                                   ? another_snapshot_text(store)
                                   : fmt::format("`{}` brings it up to date and keeps a copy",
                                                 store_command("db rebuild", store));
    throw MachineError(
        "older-version",
        fmt::format("{}: was written by an older version of rethink (format {}, this program "
                    "writes {}); {}",
                    path.string(), format, kNewestFormat, remedy));
  }
}

std::string temporary_sweep_tables() {
  std::string statements = kSweepTables;
  for (const auto& [made, temporary] : {std::pair("CREATE TABLE ", "CREATE TEMP TABLE "),
                                        {"CREATE INDEX ", "CREATE INDEX temp."}}) {
    for (size_t at = 0; (at = statements.find(made, at)) != std::string::npos;
         at += std::string_view(temporary).size())
      statements.replace(at, std::string_view(made).size(), temporary);
  }
  return statements;
}

RunsColumns all_columns_of_runs(SQLite::Database& database, std::vector<std::string> keys) {
  std::set<std::string> taken = {"trial",    "job",     "state",  "seed",   "score",
                                 "attempts", "seconds", "sweeps", "message"};
  const auto free_of = [&](std::vector<std::string> names) {
    std::erase_if(names, [&](const std::string& name) {
      std::string letters = name;
      std::ranges::transform(letters, letters.begin(),
                             [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      return !taken.insert(letters).second;
    });
    return names;
  };
  RunsColumns columns{.keys = free_of(std::move(keys))};
  columns.labels = free_of(texts_of(
      database, "SELECT DISTINCT j.key FROM sweep_trial s, json_each(s.labels) j ORDER BY 1"));
  columns.finals = free_of(texts_of(
      database,
      "SELECT DISTINCT split || '/' || name FROM series WHERE name LIKE '%@%' ORDER BY 1"));
  return columns;
}

std::string runs_view(const RunsColumns& columns) {
  return fmt::format("DROP VIEW IF EXISTS main.runs;\nCREATE VIEW main.runs AS {};\n",
                     runs_select(columns));
}

std::string own_views(const RunsColumns& columns, OwnViews of) {
  std::vector<View> views = fixed_views(of != OwnViews::without_driver);
  if (of == OwnViews::old_format) {
    std::erase_if(views, [](const View& view) {
      return view.first == std::string_view("trial") || view.first == std::string_view("metric") ||
             view.first == std::string_view("final");
    });
    std::ranges::move(views_of_old_tables(), std::back_inserter(views));
  }
  views.emplace_back("counted_trial", counted_trial_select());
  views.emplace_back("runs", runs_select(columns));
  std::string drops;
  for (const auto& [name, select] : views)
    drops += fmt::format("DROP VIEW IF EXISTS temp.{};\n", name);
  return drops + statements_of(views, "TEMP VIEW");
}

}  // namespace rethink
