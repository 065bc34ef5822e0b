// Writes a store's folders as attempts and the driver leave them, without running an attempt.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/json.h"
#include "core/store_files/event.h"
#include "core/store_files/result_file.h"
#include "core/store_files/stored_json.h"
#include "core/store_files/trial_folder.h"
#include "results/folders/stored_trial.h"
#include "results/store/store.h"
#include "tests/support/temp_folder.h"

namespace rethink {

/// Returns a trial id that ends with `name`.
inline std::string id_of(const std::string& name) {
  return std::string(20 - name.size(), '0') + name;
}

inline Json start_event(int64_t attempt, int64_t resume_step) {
  return {{"event", "start"},
          {"attempt", attempt},
          {"resume_step", resume_step},
          {"device", "cpu"},
          {"threads", 1}};
}
/// Returns the event of an attempt that has not begun.
inline Json not_begun(int64_t attempt) {
  Json event = start_event(attempt, 0);
  event["begun"] = false;
  return event;
}
inline Json metric_event(const std::string& name, int64_t step, const Json& value) {
  return {{"event", "metric"}, {"split", "dev"}, {"name", name}, {"step", step}, {"value", value}};
}
inline Json measurement_event(const std::string& name, int64_t step, double value) {
  return {{"event", "measurement"}, {"name", name}, {"step", step}, {"value", value}};
}
inline Json end_event(const std::string& outcome) {
  return {{"event", "end"}, {"outcome", outcome}};
}

inline std::string lines_of(const std::vector<Json>& events) {
  std::string text;
  for (const Json& event : events) text += event_line(event);
  return text;
}

/// Writes one trial's folder file by file.
class TrialMaker {
 public:
  TrialMaker(std::filesystem::path store, const std::string& name, Json config = {{"steps", 10}})
      : store_(std::move(store)), id_(id_of(name)) {
    json_ = {{"id", id_},
             {"job", "noop"},
             {"config", std::move(config)},
             {"seed", 0},
             {"needs", Json::object()},
             {"data", Json::object()},
             {"imported", Json::object()},
             {"imported_paths", Json::object()},
             {"revisions", Json::object()}};
    write_json();
  }
  const std::string& id() const { return id_; }
  const Json& json() const { return json_; }
  std::filesystem::path folder() const { return trial_folder(store_, id_); }
  std::filesystem::path events(int64_t attempt) const {
    return folder() / fmt::format("attempt-{}", attempt) / "events.jsonl";
  }

  TrialMaker& job(const std::string& name) {
    json_["job"] = name;
    return write_json();
  }
  TrialMaker& needs(const std::string& slot, const std::vector<std::string>& ids) {
    json_["needs"][slot] = ids;
    return write_json();
  }
  /// `value`: a number, or null.
  TrialMaker& seed(const Json& value) {
    json_["seed"] = value;
    return write_json();
  }
  TrialMaker& data(const std::string& file, const std::string& sha256) {
    json_["data"][file] = sha256;
    return write_json();
  }
  /// Lets the trials of the slot diverge: they only have to end.
  TrialMaker& may_diverge(const std::string& slot) {
    json_["may_diverge"].push_back(slot);
    return write_json();
  }
  TrialMaker& attempt(int64_t number, const std::vector<Json>& events) {
    write_text(this->events(number), lines_of(events));
    return *this;
  }
  TrialMaker& ended(int64_t number, Json end) {
    end.emplace("message", "");
    end.emplace("seconds", 0.0);
    for (const char* flag : {"new_checkpoint", "charged", "forgiven"}) end.emplace(flag, false);
    write_text(events(number).parent_path() / "end.json", end.dump());
    return *this;
  }
  /// Writes a result that agrees with the events so far. `metrics`: other values than theirs; null: none.
  TrialMaker& result(int64_t attempt, const std::string& outcome = "done",
                     const Json& metrics = Json()) {
    const EventSummary said = summarize_events(folder(), attempt);
    Json result{{"trial", id_},
                {"seed", json_.at("seed")},
                {"outcome", outcome},
                {"attempt", attempt},
                {"events", std::filesystem::file_size(events(attempt))},
                {"metrics", metrics.is_null() ? said.metrics : metrics},
                {"artifacts", said.artifacts}};
    if (!said.selected.is_null()) {
      result["selected"] = {
          {"group", 0}, {"labels", Json::array()}, {"by", "dev/score"}, {"score", 0.5}};
      result["selected"].update(said.selected);
    }
    return set_result(result);
  }
  /// Returns the file that result() wrote.
  Json result_json() const { return sound_result(folder() / "result.json").value(); }
  /// Adds the result's own artifacts and its selection to the events, unless they have these already.
  TrialMaker& set_result(Json result) {
    const std::filesystem::path file = events(result.at("attempt"));
    const EventSummary said = summarize_events(folder(), result.at("attempt"));
    std::string added;
    for (Json artifact : result.at("artifacts")) {
      const bool is_own = artifact.at("file").get<std::string>().starts_with("artifacts/");
      if (!is_own || std::ranges::count(said.artifacts, artifact) > 0) continue;
      artifact["event"] = "artifact";
      added += event_line(artifact);
    }
    if (result.contains("selected") && said.selected.is_null()) {
      Json event = result.at("selected");
      event["event"] = "selected";
      added += event_line(event);
    }
    if (!added.empty()) {
      write_text(file, read_text(file) + added);
      result["events"] = std::filesystem::file_size(file);
    }
    write_text(folder() / "result.json", stored_text(result));
    return *this;
  }

 private:
  TrialMaker& write_json() {
    write_text(folder() / "trial.json", json_.dump());
    return *this;
  }

  std::filesystem::path store_;
  std::string id_;
  Json json_;
};

/// Returns every row of every table, for comparing stores; for metrics and trials the rows of their views.
inline std::string dump_rows(Store& store) {
  std::string text;
  SQLite::Statement tables(store.database(),
                           "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN "
                           "('write_count', 'trial_record', 'series', 'metric_value', "
                           "'sweep_file') OR name IN "
                           "('trial', 'metric') ORDER BY name");
  while (tables.executeStep()) {
    const std::string table = tables.getColumn(0);
    text += "# " + table + "\n";
    SQLite::Statement rows(store.database(), "SELECT * FROM " + table + " ORDER BY 1, 2" +
                                                 (table == "sweep_file_trial" ? "" : ", 3"));
    while (rows.executeStep()) {
      for (int i = 0; i < rows.getColumnCount(); ++i) text += rows.getColumn(i).getString() + "|";
      text += "\n";
    }
  }
  return text;
}

/// Adds rows of a metric without an event: `value(step)` at the steps 0 to `count` - 1. Requires: a
/// transaction is open.
template <typename Value>
void put_metric_rows(Store& store, const std::string& trial, const std::string& split,
                     const std::string& name, int count, Value value) {
  SQLite::Statement series(store.database(),
                           "INSERT INTO series(trial, split, name, id) VALUES(?, ?, ?, (SELECT "
                           "ifnull(max(id), 0) + 1 FROM series)) RETURNING id");
  series.bind(1, trial);
  series.bind(2, split);
  series.bind(3, name);
  series.executeStep();
  const int64_t number = series.getColumn(0).getInt64();
  series.reset();
  SQLite::Statement row(store.database(), "INSERT INTO metric_value VALUES(?, ?, ?)");
  for (int step = 0; step < count; ++step) {
    row.bind(1, number);
    row.bind(2, step);
    row.bind(3, static_cast<double>(value(step)));
    row.exec();
    row.reset();
  }
}

/// Returns the values of dev/`name` in the order of steps, such as "1.5 2.25".
inline std::string curve_of(const Store& store, const std::string& trial,
                            const std::string& name = "loss") {
  std::string text;
  for (const MetricRow& row : store.metrics(trial, "dev", name)) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : " ", row.step,
                        row.value ? fmt::format("{}", *row.value) : "-");
  }
  return text;
}

}  // namespace rethink
