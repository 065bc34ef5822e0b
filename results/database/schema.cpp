#include "results/database/schema.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/message.h"
#include "results/database/connection.h"
#include "results/database/database_error.h"
#include "results/database/sql_expressions.h"

namespace rethink {
namespace {

constexpr const char* kFormat1 = R"sql(
CREATE TABLE trial(
  id TEXT NOT NULL PRIMARY KEY CHECK(length(id) = 20),
  job TEXT NOT NULL,
  state TEXT NOT NULL CHECK(state IN
    ('waiting', 'ready', 'running', 'done', 'diverged', 'failed', 'cancelled', 'blocked')),
  seed INTEGER,
  message TEXT NOT NULL DEFAULT '',
  configuration TEXT NOT NULL,
  data TEXT NOT NULL DEFAULT '{}',
  imported TEXT NOT NULL DEFAULT '{}',
  revisions TEXT NOT NULL DEFAULT '{}'
) STRICT;
CREATE INDEX trial_by_state ON trial(state);

CREATE TABLE trial_need(
  trial TEXT NOT NULL REFERENCES trial(id) ON DELETE CASCADE,
  slot TEXT NOT NULL,
  position INTEGER NOT NULL,
  need TEXT NOT NULL,
  PRIMARY KEY(trial, slot, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX trial_need_by_need ON trial_need(need);

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

CREATE TABLE attempt(
  trial TEXT NOT NULL REFERENCES trial(id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  outcome TEXT NOT NULL DEFAULT '' CHECK(outcome IN
    ('', 'done', 'diverged', 'failed', 'oom', 'killed', 'timeout', 'lost', 'interrupted', 'fenced')),
  message TEXT NOT NULL DEFAULT '',
  resume_step INTEGER,
  seconds REAL,
  facts TEXT NOT NULL DEFAULT '{}',
  bytes_read INTEGER NOT NULL DEFAULT 0,
  lines_read INTEGER NOT NULL DEFAULT 0,
  damaged INTEGER NOT NULL DEFAULT 0 CHECK(damaged IN (0, 1)),
  PRIMARY KEY(trial, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE metric(
  trial TEXT NOT NULL REFERENCES trial(id) ON DELETE CASCADE,
  split TEXT NOT NULL,
  name TEXT NOT NULL,
  step INTEGER NOT NULL,
  value REAL,
  PRIMARY KEY(trial, split, name, step)
) STRICT, WITHOUT ROWID;

CREATE TABLE measurement(
  trial TEXT NOT NULL REFERENCES trial(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  step INTEGER NOT NULL,
  value REAL,
  PRIMARY KEY(trial, name, step)
) STRICT, WITHOUT ROWID;

CREATE TABLE artifact(
  trial TEXT NOT NULL REFERENCES trial(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  path TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  facts TEXT NOT NULL DEFAULT '{}',
  PRIMARY KEY(trial, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE event(
  trial TEXT NOT NULL REFERENCES trial(id) ON DELETE CASCADE,
  attempt INTEGER NOT NULL,
  line INTEGER NOT NULL,
  event TEXT NOT NULL,
  level TEXT,
  text TEXT,
  body TEXT NOT NULL,
  PRIMARY KEY(trial, attempt, line)
) STRICT, WITHOUT ROWID;

CREATE TABLE environment(
  trial TEXT NOT NULL REFERENCES trial(id) ON DELETE CASCADE,
  attempt INTEGER NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY(trial, attempt, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE progress(
  trial TEXT NOT NULL PRIMARY KEY REFERENCES trial(id) ON DELETE CASCADE,
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

/// The views but for `runs`, whose columns follow the configurations.
constexpr std::pair<const char*, const char*> kViews[] = {
    {"final",
     "SELECT trial, split, name, max(step) AS step, value FROM metric GROUP BY trial, split, name"},
    {"label",
     "SELECT s.sweep, s.profile, s.stage, s.trial, j.key AS label, j.value AS value\n"
     "  FROM sweep_trial s, json_each(s.labels) j"},
    {"configuration",
     "SELECT t.id AS trial, replace(substr(j.fullkey, 3), '\"', '') AS key,\n"
     "    CASE j.type WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE j.atom END AS value\n"
     "  FROM trial t, json_tree(t.configuration) j WHERE j.atom IS NOT NULL"},
    {"message", "SELECT trial, attempt, line, level, text FROM event WHERE event = 'message'"}};

std::string fixed_views(const char* kind) {
  std::string statements;
  for (const auto& [name, select] : kViews)
    statements += fmt::format("CREATE {} {} AS\n  {};\n", kind, name, select);
  return statements;
}

constexpr size_t kMostColumns = 500;  // SQLite allows 2,000; people read fewer

/// What the view `runs` shows, with one column for each of `keys`.
std::string runs_select(const std::vector<std::string>& keys) {
  std::string columns;
  for (size_t i = 0; i < std::min(keys.size(), kMostColumns); ++i) {
    columns += fmt::format(",\n  json_extract(t.configuration, {}) AS {}", json_path(keys[i]),
                           sql_name(keys[i]));
  }
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

/// Requires: it is not empty.
void check_ours(SQLite::Database& database, const std::filesystem::path& path,
                const std::filesystem::path& store, size_t newest) {
  const int application = pragma(database, "application_id"),
            format = pragma(database, "user_version");
  if (application != kApplicationId) {
    throw MachineError(
        fmt::format("{}: is not a database of rethink; move it away", path.string()));
  }
  if (has_lost_its_format(database)) {
    throw MachineError(
        fmt::format("{}: the database is damaged (format {}, which no version writes); `{}` makes "
                    "it again from "
                    "the trials' folders",
                    path.string(), format, store_command("db rebuild", store)));
  }
  if (format > static_cast<int>(newest)) {
    throw MachineError(
        fmt::format("{}: was written by a newer version of rethink (format {}, this program knows "
                    "up to {}); use that "
                    "version or a newer one",
                    path.string(), format, newest));
  }
}

}  // namespace

bool has_lost_its_format(SQLite::Database& database) {
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

const std::vector<std::string>& migrations() {
  // Format 2 has the tables of format 1, in pages with checksums: a file of format 1 is not changed
  // into one of format 2 but made anew (mend_database in rebuild.h).
  static const std::vector<std::string> steps = {
      std::string(kFormat1) + "\n" + fixed_views("VIEW") + runs_view({}), ""};
  return steps;
}

void migrate(SQLite::Database& database, const std::filesystem::path& path,
             const std::filesystem::path& store, const std::vector<std::string>& steps) {
  const bool empty = database.execAndGet("SELECT count(*) FROM sqlite_schema").getInt() == 0;
  if (!empty) check_ours(database, path, store, steps.size());
  const int format = pragma(database, "user_version");
  if (format == static_cast<int>(steps.size())) return;
  if (!empty) {
    const std::filesystem::path copy = name_of_old_format(path, format);
    std::filesystem::remove(copy);  // of a migration that was cut off
    database.exec("VACUUM INTO " + sql_text(sqlite_name(copy)));
  }
  database.exec("BEGIN IMMEDIATE");
  try {
    for (size_t step = static_cast<size_t>(format); step < steps.size(); ++step)
      database.exec(steps[step]);
    database.exec(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}",
                              kApplicationId, steps.size()));
    database.exec("COMMIT");
  } catch (...) {
    database.tryExec("ROLLBACK");
    throw;
  }
}

void check_format(SQLite::Database& database, const std::filesystem::path& path,
                  const std::filesystem::path& store, const std::vector<std::string>& steps,
                  size_t oldest) {
  check_ours(database, path, store, steps.size());
  const int format = pragma(database, "user_version");
  if (format < static_cast<int>(oldest)) {
    const std::string remedy = path == store
                                   ? another_snapshot_text(store)
                                   : fmt::format("`{}` brings it up to date and keeps a copy",
                                                 store_command("db rebuild", store));
    throw MachineError(
        fmt::format("{}: was written by an older version of rethink (format {}, this program "
                    "writes {}); {}",
                    path.string(), format, steps.size(), remedy));
  }
}

std::string runs_view(const std::vector<std::string>& keys) {
  return fmt::format("DROP VIEW IF EXISTS main.runs;\nCREATE VIEW main.runs AS {};\n",
                     runs_select(keys));
}

std::string own_views(const std::vector<std::string>& keys) {
  std::string drops;
  for (const auto& [name, select] : kViews)
    drops += fmt::format("DROP VIEW IF EXISTS temp.{};\n", name);
  return drops + fixed_views("TEMP VIEW") +
         fmt::format("DROP VIEW IF EXISTS temp.runs;\nCREATE TEMP VIEW runs AS {};\n",
                     runs_select(keys));
}

}  // namespace rethink
