// The tables and views of rethink.db. docs/query.md describes every column.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "core/trial_state.h"

namespace SQLite {
class Database;
}

namespace rethink {

/// The oldest format that can be read without migration. Its pages have no checksums
/// (page_checksums.h).
constexpr size_t kOldestReadFormat = 1;

/// The first format whose view `trial` derives states, and whose metrics are in series.
constexpr size_t kSeriesFormat = 3;

/// The format that this program writes.
constexpr size_t kNewestFormat = 3;

/// "RTNK", the application id by which file(1) and we recognize a database of rethink.
constexpr int kApplicationId = 0x52544E4B;

/// Tables of a trial's data beside `trial_record`. Their column `trial` is the trial's id. The rows
/// of `metric_value` go with those of `series`.
constexpr std::array<const char*, 8> kTablesOfTrials = {"attempt",     "trial_need", "series",
                                                        "measurement", "artifact",   "event",
                                                        "environment", "progress"};
/// The same tables without the numbers of series, which differ between databases, for comparison.
constexpr std::array<const char*, 8> kRecordsOfTrials = {"attempt",     "trial_need", "metric",
                                                         "measurement", "artifact",   "event",
                                                         "environment", "progress"};

/// Returns whether the column `told` of trial_record can have this state: recorded in the trial's
/// folder, or running. The view `trial` derives the other states from needs and sweeps.
bool is_stored_state(TrialState state);

/// Returns whether a database of rethink claims format 0 or less, which no version writes: damage.
bool has_invalid_format(SQLite::Database& database);

/// Returns the name of the kept old database when a newer format replaces it: "rethink.db.format1",
/// or "rethink.db.format1-2" and so on if a folder has that name. An existing file of that name is
/// an older copy, which the caller replaces.
std::filesystem::path name_of_old_format(const std::filesystem::path& database, int format);

/// Makes the tables in the database at `path`, of `store`, if it is empty. Throws as check_format
/// unless another database has the newest format: mend_database (rebuild.h) makes older ones again.
void make_tables(SQLite::Database& database, const std::filesystem::path& path,
                 const std::filesystem::path& store);

/// Throws MachineError unless the database is ours and has kNewestFormat, or an older format from
/// `oldest` on.
void check_format(SQLite::Database& database, const std::filesystem::path& path,
                  const std::filesystem::path& store, size_t oldest);

/// Returns statements that make empty tables of sweeps for one connection, which hide those of the
/// file.
std::string temporary_sweep_tables();

/// Additional columns of the view `runs`.
struct RunsColumns {
  std::vector<std::string> keys{};    // keys of the configuration that vary
  std::vector<std::string> labels{};  // labels of sweeps; an axis is one of them
  std::vector<std::string> finals{};  // final metrics: "test/perplexity@best"
};
/// Returns every label and final metric of the store, with these keys. A name that equals an
/// earlier column apart from case is left out, since SQL could not distinguish them. Cost: reads
/// all labels and the names of all curves.
RunsColumns all_columns_of_runs(SQLite::Database& database, std::vector<std::string> keys);

/// Returns the statement that makes the view `runs`.
std::string runs_view(const RunsColumns& columns);

/// Readers of a connection's views.
enum class OwnViews {
  with_driver,     // also for the driver: the trials that it began are running
  without_driver,  // trials run if a worker holds them: needs the SQL function has_worker
  old_format       // today's views over tables of formats below kSeriesFormat
};
/// Returns statements that make every view for one connection, which hide those of the file, and
/// `counted_trial`, which the file lacks: the view `trial`, its `counted` state and `repetition`.
/// The file's views may be a stranger's, and SQLite 3.40 refuses json_extract in them (connection.h).
std::string own_views(const RunsColumns& columns, OwnViews of);

}  // namespace rethink
