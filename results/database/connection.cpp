#include "results/database/connection.h"

#include <SQLiteCpp/Database.h>
#include <sqlite3.h>

namespace rethink {

void distrust(SQLite::Database& database) {
  sqlite3_db_config(database.getHandle(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database.getHandle(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
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
