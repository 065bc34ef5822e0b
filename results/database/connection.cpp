#include "results/database/connection.h"

#include <SQLiteCpp/Database.h>
#include <sqlite3.h>

#include "results/database/page_checksums.h"

namespace rethink {

void restrict_schema(SQLite::Database& database) {
  sqlite3_db_config(database.getHandle(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database.getHandle(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
}

SQLite::Database open_read_only(const std::filesystem::path& file, int busy_ms) {
  SQLite::Database database(sqlite_name(file), SQLite::OPEN_READONLY, busy_ms,
                            page_checksum_layer());
  restrict_schema(database);
  return database;
}

std::string sqlite_text() {
  constexpr int kFixed = 3051003;
  std::string text = sqlite3_libversion();
  if (sqlite3_libversion_number() < kFixed) {
    text += " (its WAL bug, fixed in 3.51.3, needs two writers; rethink has one)";
  }
  return text;
}

}  // namespace rethink
