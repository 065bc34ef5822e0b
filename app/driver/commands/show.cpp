// `rethink show TRIAL`: shows everything that the store has on one trial.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iostream>

#include "app/driver/command.h"
#include "app/driver/show/rows.h"
#include "app/driver/show/trials/candidates.h"
#include "app/driver/show/trials/trial_reason.h"
#include "core/error.h"
#include "core/json.h"
#include "core/store_files/trial_folder.h"
#include "results/database/sql_expressions.h"
#include "results/folders/stored_trial.h"
#include "results/query/run_query.h"
#include "results/query/trial_prefix.h"
#include "results/records/first_signs.h"

namespace rethink {
namespace {

/// A part of the answer: its title and its query; {} or {0} is the trial, {1} an attempt's reason,
/// {2} the state of a running trial, {3} the states with a result.
struct AnswerPart {
  const char* title;
  const char* sql;
  const char* sql_for_people = nullptr;  // if programs get more rows than people want
};

// One row per metric: its last value, and its best value if an evaluation kept it. A trial reports
// its best value at its end, without the step. The step is taken from the curve; it is unknown if
// the curve lacks the value.
constexpr const char* kMetricsForPeople =
    "SELECT f.split || '/' || f.name AS metric, ifnull(f.value, 'not finite') AS value, f.step, "
    "iif(b.trial IS NULL, NULL, ifnull(b.value, 'not finite')) AS best, (SELECT "
    "min(m.step) FROM metric m WHERE m.trial = f.trial AND m.split = f.split AND m.name = f.name "
    "AND m.value = b.value) AS best_step FROM final f LEFT JOIN final b ON b.trial = f.trial AND "
    "b.split = f.split AND "
    "b.name = f.name || '@best' WHERE f.trial = {} AND NOT EXISTS (SELECT 1 FROM final g WHERE "
    "g.trial = f.trial AND g.split = f.split AND f.name IN (g.name || '@last', g.name || '@best')) "
    "ORDER BY 1";

constexpr AnswerPart kParts[] = {
    {"Sweeps",
     "SELECT s.sweep, s.profile, s.stage, (SELECT group_concat(j.key || '=' || j.value, ' ') "
     "FROM json_each(s.labels) j) AS labels, iif(s.cancelled, 'yes', '') AS cancelled FROM "
     "sweep_trial s WHERE s.trial = {}"},
    {"Needs",
     "SELECT n.slot, n.need AS trial, t.job, t.state FROM trial_need n LEFT JOIN trial t ON t.id "
     "= n.need WHERE n.trial = {} ORDER BY n.slot, n.position"},
    {"Attempts",
     "SELECT a.number, iif(a.outcome = '', {2}, a.outcome) AS outcome, a.resume_step, a.seconds, "
     " {1} AS message FROM attempt a WHERE a.trial = {0} ORDER BY a.number"},
    {"Inexact resumes",
     "SELECT e.attempt, (SELECT group_concat(j.value, ', ') FROM json_each(e.body, '$.differs') j) "
     "AS differs, iif(e.body ->> '$.build_is_unknown', 'not recorded', '') AS build FROM event e "
     "WHERE e.trial = {} AND e.event = 'inexact' ORDER BY e.attempt"},
    {"Progress",
     "SELECT attempt, step, steps, loss, steps_per_s FROM progress WHERE trial = {0} AND NOT "
     "EXISTS(SELECT 1 FROM trial t WHERE t.id = progress.trial AND t.state IN ({3}))"},
    {"Final metrics",
     "SELECT split || '/' || name AS metric, value, step FROM final WHERE trial = {} ORDER BY 1",
     kMetricsForPeople},
    {"Measurements",
     "SELECT name, value, max(step) AS step FROM measurement WHERE trial = {} GROUP BY name ORDER "
     "BY name",
     "SELECT name, ifnull(value, 'not finite') AS value, max(step) AS step FROM measurement WHERE "
     "trial = {} GROUP BY name ORDER BY name"},
    {"Newest texts",
     "SELECT name, step, value AS text FROM (SELECT body ->> '$.name' AS name, body ->> '$.step' "
     "AS step, body ->> '$.value' AS value, max(attempt) FROM event WHERE trial = {} AND event = "
     "'text' GROUP BY 1, 2 ORDER BY 2 DESC, 1 LIMIT 10) ORDER BY step, name"},
    {"Newest images",
     "SELECT name, step, file FROM (SELECT body ->> '$.name' AS name, body ->> '$.step' AS step, "
     "body ->> '$.file' AS file, max(attempt) FROM event WHERE trial = {} AND event = 'image' "
     "GROUP BY 1, 2 ORDER BY 2 DESC, 1 LIMIT 10) ORDER BY step, name"},
    {"Artifacts",
     "SELECT name, kind, bytes, path, sha256, nullif(facts, '{{}}') AS "
     "facts FROM artifact WHERE trial = {} ORDER BY name"},
    {"Data",
     "SELECT j.key AS file, j.value AS sha256 FROM trial t, json_each(t.data) j "
     "WHERE t.id = {}"},
    {"Environment of the last attempt",
     "SELECT name, value FROM environment WHERE trial = {0} AND attempt = (SELECT max(attempt) "
     "FROM environment WHERE trial = {0}) ORDER BY name"}};

/// The reason why a trial diverged, as far as its curves show it: the curve that changed first.
QueryResult rows_of(const std::vector<FirstSign>& signs) {
  QueryResult rows{{"metric", "step", "from", "value", "median before"}, {}};
  for (const FirstSign& sign : signs)
    rows.rows.push_back({"train/" + sign.name, sign.step, sign.from,
                         sign.value ? Json(*sign.value) : Json("not finite"),
                         sign.usual ? Json(*sign.usual) : Json()});
  return rows;
}

/// Empty where the order is known.
std::string open_order_line(const std::vector<FirstSign>& signs) {
  const std::string order = open_order(signs);
  return order.empty() ? "" : order + "\n";
}

QueryResult configuration_of(const TrialRow& trial) {
  QueryResult rows{{"key", "value"}, {}};
  each_leaf(trial.config, [&](const std::string& key, const Json& value) {
    const bool is_plain = value.is_string() || value.is_number();
    rows.rows.push_back({key, is_plain ? value : Json(value.is_null() ? "" : value.dump())});
  });
  return rows;
}

/// Columns without any value are not shown.
void drop_empty_columns(QueryResult& rows) {
  for (size_t column = rows.columns.size(); column-- > 0;) {
    const auto is_empty = [&](const std::vector<Json>& row) { return row[column].is_null(); };
    if (!std::ranges::all_of(rows.rows, is_empty)) continue;
    const auto at = static_cast<std::ptrdiff_t>(column);
    rows.columns.erase(rows.columns.begin() + at);
    for (std::vector<Json>& row : rows.rows) row.erase(row.begin() + at);
  }
}

/// The first digits are enough for people.
void shorten_checksums(QueryResult& rows) {
  for (size_t column = 0; column < rows.columns.size(); ++column) {
    if (rows.columns[column] != "sha256") continue;
    for (std::vector<Json>& row : rows.rows)
      if (row[column].is_string()) row[column] = row[column].get<std::string>().substr(0, 12);
  }
}

class Show : public Command {
 public:
  std::string positional() const override { return "TRIAL"; }

  void declare(po::options_description& options) const override { declare_format(options); }

  int run(const CommandContext& context, const po::variables_map& given) override {
    const std::vector<std::string> trials = arguments_of(given);
    if (trials.size() != 1)
      throw ConfigError("wrong-arguments",
                        "show: give one trial, by its id or the beginning of it");
    const bool as_json = wants_json(given);
    Store store(context.store, Store::Access::read);
    const std::string id = trial_with_prefix(store, trials[0]);
    as_json ? print_json(store, id, context.store) : print_text(store, id, context.store);
    return kDone;
  }

 private:
  static QueryResult answer(Store& store, const char* sql, const std::string& id) {
    return run_query(store, fmt::format(fmt::runtime(sql), sql_text(id), attempt_reason_sql(),
                                        sql_text(TrialState::running), sql_list(has_result)));
  }

  /// For a user's program: the kept code, and its differences from Git's commit.
  static void print_code(const TrialRow& trial, const std::filesystem::path& folder) {
    const std::string snapshot = trial.config.value("snapshot", "");
    const std::filesystem::path code = folder / kCodeFolder / snapshot;
    if (snapshot.empty() || !std::filesystem::is_directory(code)) return;
    std::cout << fmt::format("code    {}\n", code.string());
    const std::string diff = code.string() + ".diff";
    if (std::filesystem::exists(diff)) std::cout << fmt::format("diff    {}\n", diff);
  }

  static void print_text(Store& store, const std::string& id, const std::filesystem::path& folder) {
    TrialRow trial = *store.trial(id);
    std::cout << fmt::format("trial   {}\njob     {}\nstate   {}\n", id, trial.job,
                             to_text(trial.state));
    if (trial.seed) std::cout << fmt::format("seed    {}\n", *trial.seed);
    const std::string reason = trial_reason(store, id);
    if (!reason.empty()) std::cout << fmt::format("message {}\n", reason);
    const std::filesystem::path own = trial_folder(folder, id);
    // A snapshot has no folders.
    const bool gone = std::filesystem::is_directory(folder) && !std::filesystem::exists(own);
    std::cout << fmt::format("folder  {}\n", gone ? kFolderIsMissing : own.string());
    print_code(trial, folder);
    if (const std::optional<Candidates> candidates = candidates_of(store, folder, trial)) {
      std::cout << "\n" << to_text(*candidates);
      trial.config.erase("groups");  // the same again
    }
    if (const std::vector<FirstSign> signs = first_signs(store, id); !signs.empty())
      std::cout << "\nWhat left its course first, between the steps `from` and `step`\n"
                << format_rows(rows_of(signs), "text") << open_order_line(signs);
    for (const AnswerPart& part : kParts) {
      QueryResult rows = answer(store, part.sql_for_people ? part.sql_for_people : part.sql, id);
      shorten_checksums(rows);
      if (part.sql_for_people) drop_empty_columns(rows);
      if (!rows.rows.empty())
        std::cout << fmt::format("\n{}\n{}", part.title, format_rows(rows, "text"));
    }
    std::cout << "\nConfiguration\n" << format_rows(configuration_of(trial), "text");
  }

  static void print_json(Store& store, const std::string& id, const std::filesystem::path& folder) {
    const TrialRow trial = *store.trial(id);
    const std::optional<Candidates> candidates = candidates_of(store, folder, trial);
    Json all = {{"trial", id},
                {"job", trial.job},
                {"state", to_text(trial.state)},
                {"message", trial_reason(store, id)}};
    all["seed"] = trial.seed ? Json(*trial.seed) : Json();
    for (const AnswerPart& part : kParts) {
      std::string name;
      for (const char c : std::string(part.title))
        name += c == ' ' ? '_' : static_cast<char>(std::tolower(c));
      all[name] = as_objects(answer(store, part.sql, id));
    }
    if (const std::vector<FirstSign> signs = first_signs(store, id); !signs.empty())
      all["first_signs"] = as_objects(rows_of(signs));
    if (candidates) all["candidates"] = as_objects(candidates->rows);
    all["configuration"] = trial.config;
    std::cout << all.dump(2) << "\n";
  }
};

RETHINK_REGISTERED =
    add_command<Show>("show", "show one trial: state, configuration, attempts, metrics, artifacts");

}  // namespace
}  // namespace rethink
