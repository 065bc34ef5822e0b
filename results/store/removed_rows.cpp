#include "results/store/removed_rows.h"

#include <SQLiteCpp/Database.h>
#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "results/database/schema.h"
#include "results/folders/stored_trial.h"
#include "results/upkeep/removed_trials.h"

namespace rethink {
namespace {

/// Tables of what trials left, and their column of the trial's id. A sweep's file still has its member.
constexpr std::array<std::pair<const char*, const char*>, 9> kTablesOfTrials = {
    {{"trial", "id"},
     {"trial_need", "trial"},
     {"attempt", "trial"},
     {"metric", "trial"},
     {"measurement", "trial"},
     {"artifact", "trial"},
     {"event", "trial"},
     {"environment", "trial"},
     {"progress", "trial"}}};

}  // namespace

void hide_removed_trials(SQLite::Database& database, const std::filesystem::path& store) {
  std::vector<std::string> removed;
  for (const std::filesystem::path& aside : trials_set_aside(store)) {
    const std::string trial = trial_set_aside(aside);
    std::error_code unreadable;
    // `db merge` may have brought it in again.
    if (!std::filesystem::exists(trial_folder(store, trial), unreadable))
      removed.push_back(sql_text(trial));
  }
  if (removed.empty()) return;
  // SQLite looks for a name among the temporary ones first.
  for (const auto& [table, column] : kTablesOfTrials)
    database.exec(
        fmt::format("CREATE TEMP VIEW {0} AS SELECT * FROM main.{0} WHERE {1} NOT IN ({2})", table,
                    column, joined(removed)));
}

}  // namespace rethink
