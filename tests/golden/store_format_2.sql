CREATE INDEX sweep_trial_by_trial ON sweep_trial(trial);

CREATE INDEX trial_by_state ON trial(state);

CREATE INDEX trial_need_by_need ON trial_need(need);

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

CREATE TABLE configuration_key(
  key TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL,
  varies INTEGER NOT NULL CHECK(varies IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE TABLE environment(
  trial TEXT NOT NULL REFERENCES trial(id) ON DELETE CASCADE,
  attempt INTEGER NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY(trial, attempt, name)
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

CREATE TABLE measurement(
  trial TEXT NOT NULL REFERENCES trial(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  step INTEGER NOT NULL,
  value REAL,
  PRIMARY KEY(trial, name, step)
) STRICT, WITHOUT ROWID;

CREATE TABLE metric(
  trial TEXT NOT NULL REFERENCES trial(id) ON DELETE CASCADE,
  split TEXT NOT NULL,
  name TEXT NOT NULL,
  step INTEGER NOT NULL,
  value REAL,
  PRIMARY KEY(trial, split, name, step)
) STRICT, WITHOUT ROWID;

CREATE TABLE progress(
  trial TEXT NOT NULL PRIMARY KEY REFERENCES trial(id) ON DELETE CASCADE,
  attempt INTEGER NOT NULL,
  step INTEGER NOT NULL,
  steps INTEGER NOT NULL,
  loss REAL,
  steps_per_s REAL
) STRICT, WITHOUT ROWID;

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

CREATE TABLE trial_need(
  trial TEXT NOT NULL REFERENCES trial(id) ON DELETE CASCADE,
  slot TEXT NOT NULL,
  position INTEGER NOT NULL,
  need TEXT NOT NULL,
  PRIMARY KEY(trial, slot, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE write_count(count INTEGER NOT NULL) STRICT;

CREATE VIEW configuration AS
  SELECT t.id AS trial, replace(substr(j.fullkey, 3), '"', '') AS key,
    CASE j.type WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE j.atom END AS value
  FROM trial t, json_tree(t.configuration) j WHERE j.atom IS NOT NULL;

CREATE VIEW final AS
  SELECT trial, split, name, max(step) AS step, value FROM metric GROUP BY trial, split, name;

CREATE VIEW label AS
  SELECT s.sweep, s.profile, s.stage, s.trial, j.key AS label, j.value AS value
  FROM sweep_trial s, json_each(s.labels) j;

CREATE VIEW message AS
  SELECT trial, attempt, line, level, text FROM event WHERE event = 'message';

