CREATE INDEX attempt_open ON attempt(trial) WHERE outcome = '';

CREATE INDEX sweep_trial_by_trial ON sweep_trial(trial);

CREATE INDEX sweep_trial_cancelled ON sweep_trial(trial) WHERE cancelled = 1;

CREATE INDEX trial_need_by_need ON trial_need(need);

CREATE INDEX trial_record_by_told ON trial_record(told);

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

CREATE TABLE attempt(
  trial TEXT NOT NULL REFERENCES trial_record(id) ON DELETE CASCADE,
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

CREATE TABLE configuration_key(
  key TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL,
  varies INTEGER NOT NULL CHECK(varies IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE TABLE environment(
  trial TEXT NOT NULL REFERENCES trial_record(id) ON DELETE CASCADE,
  attempt INTEGER NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY(trial, attempt, name)
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

CREATE TABLE measurement(
  trial TEXT NOT NULL REFERENCES trial_record(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  step INTEGER NOT NULL,
  value REAL,
  PRIMARY KEY(trial, name, step)
) STRICT, WITHOUT ROWID;

CREATE TABLE metric_value(
  series INTEGER NOT NULL REFERENCES series(id) ON DELETE CASCADE,
  step INTEGER NOT NULL,
  value REAL,
  PRIMARY KEY(series, step)
) STRICT, WITHOUT ROWID;

CREATE TABLE progress(
  trial TEXT NOT NULL PRIMARY KEY REFERENCES trial_record(id) ON DELETE CASCADE,
  attempt INTEGER NOT NULL,
  step INTEGER NOT NULL,
  steps INTEGER NOT NULL,
  loss REAL,
  steps_per_s REAL
) STRICT, WITHOUT ROWID;

CREATE TABLE series(
  trial TEXT NOT NULL REFERENCES trial_record(id) ON DELETE CASCADE,
  split TEXT NOT NULL,
  name TEXT NOT NULL,
  id INTEGER NOT NULL UNIQUE,
  PRIMARY KEY(trial, split, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE sweep(
  sweep TEXT NOT NULL,
  profile TEXT NOT NULL,
  source TEXT NOT NULL DEFAULT '',
  PRIMARY KEY(sweep, profile)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE trial_need(
  trial TEXT NOT NULL REFERENCES trial_record(id) ON DELETE CASCADE,
  slot TEXT NOT NULL,
  position INTEGER NOT NULL,
  need TEXT NOT NULL,
  may_diverge INTEGER NOT NULL DEFAULT 0 CHECK(may_diverge IN (0, 1)),
  PRIMARY KEY(trial, slot, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE trial_record(
  id TEXT NOT NULL PRIMARY KEY CHECK(length(id) = 20),
  job TEXT NOT NULL,
  told TEXT CHECK(told IN ('running', 'done', 'diverged', 'failed', 'cancelled')),
  seed INTEGER,
  message TEXT NOT NULL DEFAULT '',
  configuration TEXT NOT NULL,
  data TEXT NOT NULL DEFAULT '{}',
  imported TEXT NOT NULL DEFAULT '{}',
  revisions TEXT NOT NULL DEFAULT '{}'
) STRICT;

CREATE TABLE write_count(count INTEGER NOT NULL) STRICT;

CREATE VIEW configuration AS
  SELECT t.id AS trial, replace(substr(j.fullkey, 3), '"', '') AS key,
    CASE j.type WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE j.atom END AS value
  FROM trial_record t, json_tree(t.configuration) j WHERE j.atom IS NOT NULL;

CREATE VIEW final AS
  SELECT s.trial, s.split, s.name, v.step, v.value FROM series s CROSS JOIN metric_value v ON v.series = s.id
    AND v.step = (SELECT max(m.step) FROM metric_value m WHERE m.series = s.id);

CREATE VIEW label AS
  SELECT s.sweep, s.profile, s.stage, s.trial, j.key AS label, j.value AS value
  FROM sweep_trial s, json_each(s.labels) j;

CREATE VIEW message AS
  SELECT trial, attempt, line, level, text FROM event WHERE event = 'message';

CREATE VIEW metric AS
  SELECT s.trial, s.split, s.name, v.step, v.value FROM series s CROSS JOIN metric_value v ON v.series = s.id;

CREATE VIEW trial AS
  SELECT t.id, t.job, CASE
    WHEN t.told IS NOT NULL THEN t.told
    WHEN (EXISTS(SELECT 1 FROM sweep_trial s WHERE s.trial = t.id AND s.cancelled = 1) AND NOT EXISTS(SELECT 1 FROM sweep_trial s WHERE s.trial = t.id AND s.cancelled = 0)) THEN 'cancelled'
    WHEN t.id IN (WITH RECURSIVE lost(trial) AS (
      SELECT n.trial FROM trial_record t JOIN trial_need n ON n.need = t.id
        WHERE t.told IN ('failed', 'cancelled') OR t.told = 'diverged' AND NOT n.may_diverge
      UNION SELECT n.trial FROM (SELECT DISTINCT trial AS id FROM sweep_trial WHERE cancelled = 1) t
        JOIN trial_record r ON r.id = t.id AND r.told IS NULL JOIN trial_need n ON n.need = t.id WHERE (EXISTS(SELECT 1 FROM sweep_trial s WHERE s.trial = t.id AND s.cancelled = 1) AND NOT EXISTS(SELECT 1 FROM sweep_trial s WHERE s.trial = t.id AND s.cancelled = 0))
      UNION SELECT n.trial FROM lost l JOIN trial_record r ON r.id = l.trial AND r.told IS NULL
        JOIN trial_need n ON n.need = l.trial)
    SELECT trial FROM lost) THEN 'blocked'
    WHEN EXISTS(SELECT 1 FROM trial_need n LEFT JOIN trial_record d ON d.id = n.need WHERE n.trial = t.id
      AND d.told IS NOT 'done' AND NOT (d.told IS 'diverged' AND n.may_diverge)) THEN 'waiting'
    ELSE 'ready' END AS state,
    t.seed, t.message, t.configuration, t.data, t.imported, t.revisions FROM trial_record t;

