// The tables and views of rethink.db and how older databases become newer ones. docs/query.md
// describes every column.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace SQLite {
class Database;
}

namespace rethink {

/// The oldest format that can be read as it is. Its pages have no checksums (page_checksums.h).
constexpr size_t kOldestReadFormat = 1;

/// The first whose view `trial` derives states, and whose metrics stand in series.
constexpr size_t kSeriesFormat = 3;

/// That this program writes.
constexpr size_t kNewestFormat = 3;

/// "RTNK": tells file(1) and us whose database it is.
constexpr int kApplicationId = 0x52544E4B;

/// The tables of what a trial left, beside `trial_record` itself; the column `trial` of each is the trial's id.
/// The rows of `metric_value` go with those of `series`.
constexpr std::array<const char*, 8> kTablesOfTrials = {"attempt",     "trial_need", "series",
                                                        "measurement", "artifact",   "event",
                                                        "environment", "progress"};
/// The same as they can be compared with another database's: the number of a series says nothing.
constexpr std::array<const char*, 8> kRecordsOfTrials = {"attempt",     "trial_need", "metric",
                                                         "measurement", "artifact",   "event",
                                                         "environment", "progress"};

/// Whether a database of rethink says that it has format 0 or less, which no version writes: damage.
bool has_lost_its_format(SQLite::Database& database);

/// Where the database is kept when one of a newer format takes its place: "rethink.db.format1", or
/// "rethink.db.format1-2" and so on where a folder has that name. A file of that name is an older
/// copy, which the caller replaces.
std::filesystem::path name_of_old_format(const std::filesystem::path& database, int format);

/// The SQL that leads from format i to format i + 1; the first makes an empty database's tables.
const std::vector<std::string>& migrations();

/// Brings the database at `path`, of `store`, to the newest format of `steps`, in one transaction; a database
/// with rows is copied to rethink.db.format<n> first. Throws MachineError: not ours, or written by
/// a newer version.
void migrate(SQLite::Database& database, const std::filesystem::path& path,
             const std::filesystem::path& store, const std::vector<std::string>& steps);

/// Throws MachineError unless the database has the newest format of `steps`, or an older one from
/// `oldest` on, whose tables are the same.
void check_format(SQLite::Database& database, const std::filesystem::path& path,
                  const std::filesystem::path& store, const std::vector<std::string>& steps,
                  size_t oldest);

/// Statements that make empty tables of sweeps for one connection, in front of those that the file has.
std::string temporary_sweep_tables();

/// What the view `runs` has a column for, beside what every trial has.
struct RunsColumns {
  std::vector<std::string> keys{};    // of the configuration, that vary
  std::vector<std::string> labels{};  // of sweeps: an axis is one
  std::vector<std::string> finals{};  // of metrics: "test/perplexity@best"
};
/// Every label and final metric of the store, with these keys. A name that a column before it has, in letters of any
/// case, is left out: SQL could not tell them apart. Cost: reads all labels and the names of all curves.
RunsColumns all_columns_of_runs(SQLite::Database& database, std::vector<std::string> keys);

/// The statement that makes the view `runs`.
std::string runs_view(const RunsColumns& columns);

/// For whom the views of a connection are.
enum class OwnViews {
  with_driver,  // or for the driver: what it began runs
  without_driver,  // what an earlier driver began runs where its worker goes on: needs the SQL function has_worker
  old_format  // views of today's tables over those of formats below kSeriesFormat
};
/// Statements that make every view anew for one connection, in front of those that the file has: these
/// may be a stranger's, and SQLite 3.40 refuses json_extract in them (connection.h).
std::string own_views(const RunsColumns& columns, OwnViews of);

}  // namespace rethink
