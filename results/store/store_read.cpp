// What a Store answers; every query is one statement.
#include "core/format/result_file.h"
#include "core/json.h"
#include "results/database/curve_tail.h"
#include "results/folders/stored_trial.h"
#include "results/store/store_state.h"

namespace rethink {
namespace {

std::optional<double> number_at(SQLite::Statement& row, int index) {
  return row.isColumnNull(index) ? std::nullopt : std::optional(row.getColumn(index).getDouble());
}

}  // namespace

std::optional<TrialRow> Store::trial(const std::string& id) const {
  SQLite::Statement& query =
      prepared("SELECT job, state, configuration, seed, message FROM trial WHERE id = ?");
  query.bind(1, id);
  if (!query.executeStep()) return std::nullopt;
  TrialRow row{
      id, query.getColumn(0), query.getColumn(1), Json::parse(query.getColumn(2).getString()), {},
      {}};
  if (!query.isColumnNull(3)) row.seed = query.getColumn(3).getInt64();
  row.message = query.getColumn(4).getString();
  query.reset();
  return row;
}

std::map<std::string, TrialState> Store::states(const std::vector<std::string>& ids) const {
  SQLite::Statement& query =
      prepared("SELECT t.id, t.state FROM json_each(?) j JOIN trial t ON t.id = j.value");
  query.bind(1, Json(ids).dump());
  std::map<std::string, TrialState> states;
  while (query.executeStep()) states[query.getColumn(0)] = query.getColumn(1).getString();
  query.reset();
  return states;
}

std::vector<AttemptRow> Store::attempts(const std::string& trial) const {
  SQLite::Statement& query = prepared(
      "SELECT number, outcome, message, facts FROM attempt WHERE trial = ? ORDER BY number");
  query.bind(1, trial);
  std::vector<AttemptRow> rows;
  while (query.executeStep()) {
    rows.push_back({trial, query.getColumn(0).getInt64(), query.getColumn(1), query.getColumn(2),
                    Json::parse(query.getColumn(3).getString())});
  }
  query.reset();
  return rows;
}

std::vector<MetricRow> Store::metrics(const std::string& trial, const std::string& split,
                                      const std::string& name) const {
  SQLite::Statement& query = prepared(
      "SELECT step, value FROM metric WHERE trial = ? AND split = ? AND name = ? ORDER BY step");
  query.bind(1, trial);
  query.bind(2, split);
  query.bind(3, name);
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
              "?2 AND m.name = ?3 ORDER BY m.step DESC LIMIT 1) FROM json_each(?1) j");
  query.bind(1, Json(trials).dump());
  query.bind(2, split);
  query.bind(3, curve.value_or(name));
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
      prepared("SELECT name, value FROM measurement WHERE trial = ? ORDER BY name, step");
  query.bind(1, trial);
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
      "a.number = p.attempt WHERE p.trial = ?");
  query.bind(1, trial);
  if (!query.executeStep()) return std::nullopt;
  const auto integer = [&](int column) { return query.getColumn(column).getInt64(); };
  const TrialProgress found{integer(0), integer(1),          integer(2),
                            integer(3), number_at(query, 4), number_at(query, 5)};
  query.reset();
  return found;
}

uint64_t Store::largest_checkpoint(const std::string& trial) const {
  SQLite::Statement& query =
      prepared("SELECT max(body ->> 'bytes') FROM event WHERE trial = ? AND event = 'checkpoint'");
  query.bind(1, trial);
  query.executeStep();
  const auto bytes = static_cast<uint64_t>(query.getColumn(0).getInt64());
  query.reset();
  return bytes;
}

bool Store::result_reached(const std::filesystem::path& trial_folder) const {
  const std::optional<Json> result = sound_result(trial_folder / "result.json");
  if (!result) return false;
  SQLite::Statement& query =
      prepared("SELECT 1 FROM attempt WHERE trial = ? AND number = ? AND bytes_read >= ?");
  query.bind(1, trial_folder.filename().string());
  query.bind(2, result->value("attempt", int64_t{0}));
  query.bind(3, result->value("events", int64_t{0}));
  const bool reached = query.executeStep();
  query.reset();
  return reached;
}

}  // namespace rethink
