#include "results/upkeep/compare_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/error.h"
#include "core/json.h"
#include "core/message.h"
#include "results/database/schema.h"
#include "results/database/sql_expressions.h"
#include "results/folders/sweep_files.h"
#include "results/query/run_query.h"
#include "results/store/rebuild.h"
#include "results/store/store_state.h"

namespace rethink {
namespace {

using TableRows = std::vector<std::vector<Json>>;

/// Rows of one table, in order; all rows, or the rows with `trial` in the column `key`.
TableRows table_rows(Store& store, const std::string& selection, const std::string& key,
                     const std::string& trial) {
  const std::string condition =
      key.empty() ? "" : fmt::format(" WHERE {} = {}", key, sql_text(trial));
  TableRows rows = run_query(store, "SELECT " + selection + condition).rows;
  std::sort(rows.begin(), rows.end());
  return rows;
}

/// The number of rows in `some` that `others` lacks.
size_t count_without(const TableRows& some, const TableRows& others) {
  TableRows rest;
  std::set_difference(some.begin(), some.end(), others.begin(), others.end(),
                      std::back_inserter(rest));
  return rest.size();
}

/// "2 rows of metric missing"
std::string rows_text(size_t count, const std::string& table, const std::string& what) {
  return fmt::format("{} of {} {}", counted(count, "row"), table, what);
}

class Comparison {
 public:
  Comparison(Store& live, const std::filesystem::path& folder) : live_(live), made_(folder, "") {
    // From here on the rows do not change, and the folders can only grow.
    still_.emplace(live.database());
    ids_ = ids_of(live);
    made_.begin();
    std::vector<std::filesystem::path> unreadable;  // check_store names them
    const std::vector<Sweep> sweeps = united(read_sweep_files(folder, &unreadable));
    all_sweeps_ = unreadable.empty();
    const std::vector<std::string> damaged = fill_from_folders(made_, folder, sweeps).damaged;
    found_.damaged = {damaged.begin(), damaged.end()};
    const std::set<std::string> made = ids_of(made_);
    all_trials_ = damaged.empty() && std::ranges::includes(made, ids_);
    ids_.insert(made.begin(), made.end());
  }

  RowDifferences run() {
    for (const std::string& trial : ids_) {
      if (is_behind(trial)) found_.behind.insert(trial);
    }
    for (const std::string& trial : ids_) {
      if (!found_.behind.count(trial) && !found_.damaged.count(trial)) compare_trial(trial);
    }
    if (all_sweeps_) {
      compare_all("sweep", "*");
      compare_all("sweep_trial", "*");
    }
    // `value` is from the trial that was recorded first, which depends on the order.
    if (all_trials_) compare_all("configuration_key", "key, varies");
    return std::move(found_);
  }

 private:
  static std::set<std::string> ids_of(Store& store) {
    std::set<std::string> ids;
    SQLite::Statement query(store.database(), "SELECT id FROM trial");
    while (query.executeStep()) ids.insert(query.getColumn(0));
    return ids;
  }

  /// The number of bytes read for each attempt, and whether its end is known.
  static std::map<int64_t, std::pair<int64_t, bool>> progress_of(Store& store,
                                                                 const std::string& trial) {
    SQLite::Statement query = statement_of(
        store.database(), "SELECT number, bytes_read, outcome != '' FROM attempt WHERE trial = ?",
        trial);
    std::map<int64_t, std::pair<int64_t, bool>> attempts;
    while (query.executeStep())
      attempts[query.getColumn(0)] = {query.getColumn(1), query.getColumn(2).getInt() != 0};
    return attempts;
  }

  bool is_behind(const std::string& trial) {
    const auto row = live_.trial(trial);
    if (row && (row->begun || row->state == TrialState::running)) return true;
    const auto known = progress_of(live_, trial);
    for (const auto& [number, now] : progress_of(made_, trial)) {
      const auto before = known.find(number);
      if (before == known.end() || now.first > before->second.first ||
          (now.second && !before->second.second))
        return true;
    }
    return false;
  }

  void compare_trial(const std::string& trial) {
    // Other states follow from needs, and every run derives them again. A cancellation is in the
    // trial's folder or in its sweeps.
    const std::string cancelled =
        all_sweeps_ ? fmt::format("iif(state = {}, state, '')", sql_text(TrialState::cancelled))
                    : "''";
    std::vector<std::string> parts = differences(
        "trial",
        fmt::format(
            "id, job, seed, configuration, data, imported, revisions, iif(state IN ({}), state || "
            "message, {})",
            sql_list({TrialState::done, TrialState::diverged, TrialState::failed}), cancelled),
        "id", trial);
    for (const std::string table : kRecordsOfTrials) {
      // A killed `retry` may have marked an attempt as forgiven in the folder only; the next run
      // reads it.
      const char* columns =
          table == "trial_need" ? "trial, slot, position, need"  // also of older formats
          : table == "attempt"  ? "number, outcome, message, resume_step, seconds, "
                                  "json_remove(facts, '$.forgiven'), bytes_read, lines_read, damaged"
                                : "*";
      std::ranges::move(differences(table, columns, "trial", trial), std::back_inserter(parts));
    }
    if (!parts.empty()) found_.trials[trial] = joined(parts);
  }

  void compare_all(const std::string& table, const std::string& columns) {
    std::ranges::move(differences(table, columns, "", ""), std::back_inserter(found_.others));
  }

  std::vector<std::string> differences(const std::string& table, const std::string& columns,
                                       const std::string& key, const std::string& trial) {
    const std::string selection = columns + " FROM " + table;
    const TableRows live = table_rows(live_, selection, key, trial),
                    made = table_rows(made_, selection, key, trial);
    std::vector<std::string> parts;
    if (const size_t wrong = count_without(live, made); wrong > 0)
      parts.push_back(rows_text(wrong, table, "that the folders do not have"));
    if (const size_t missing = count_without(made, live); missing > 0)
      parts.push_back(rows_text(missing, table, "missing"));
    return parts;
  }

  Store& live_;
  Store made_;  // rows made from the folders
  std::optional<SQLite::Transaction> still_;
  std::set<std::string> ids_;
  RowDifferences found_;
  bool all_sweeps_ = true, all_trials_ = true;  // whether all folders can be read
};

}  // namespace

RowDifferences compare_rows(Store& live, const std::filesystem::path& folder) {
  return Comparison(live, folder).run();
}

}  // namespace rethink
