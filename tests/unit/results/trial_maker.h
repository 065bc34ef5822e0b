// A store's folders as attempts and the driver leave them, without running any.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "core/event.h"
#include "core/json.h"
#include "core/result_file.h"
#include "core/stored_json.h"
#include "results/folders.h"
#include "results/store.h"
#include "tests/support/temp_folder.h"

namespace rethink {

/// A trial id that ends with `name`.
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

  TrialMaker& needs(const std::string& slot, const std::vector<std::string>& ids) {
    json_["needs"][slot] = ids;
    return write_json();
  }
  /// A number, or null.
  TrialMaker& seed(const Json& value) {
    json_["seed"] = value;
    return write_json();
  }
  TrialMaker& data(const std::string& file, const std::string& sha256) {
    json_["data"][file] = sha256;
    return write_json();
  }
  /// Its trials only have to end.
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
  TrialMaker& result(int64_t attempt, const std::string& outcome = "done",
                     const Json& metrics = Json::object()) {
    return set_result({{"trial", id_},
                       {"seed", json_.at("seed")},
                       {"outcome", outcome},
                       {"attempt", attempt},
                       {"events", std::filesystem::file_size(events(attempt))},
                       {"metrics", metrics},
                       {"artifacts", Json::array()}});
  }
  /// As result() made it.
  Json result_json() const { return sound_result(folder() / "result.json").value(); }
  TrialMaker& set_result(const Json& result) {
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

/// Every row of every table, for comparing stores.
inline std::string dump_rows(Store& store) {
  std::string text;
  SQLite::Statement tables(store.database(),
                           "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
  while (tables.executeStep()) {
    const std::string table = tables.getColumn(0);
    text += "# " + table + "\n";
    SQLite::Statement rows(store.database(), "SELECT * FROM " + table + " ORDER BY 1, 2, 3");
    while (rows.executeStep()) {
      for (int i = 0; i < rows.getColumnCount(); ++i) text += rows.getColumn(i).getString() + "|";
      text += "\n";
    }
  }
  return text;
}

/// "1.5 2.25": the values of dev/`name` in the order of steps.
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
