#include "results/database/distrust.h"

#include <SQLiteCpp/Database.h>
#include <sqlite3.h>

namespace rethink {

void distrust(SQLite::Database& database) {
  sqlite3_db_config(database.getHandle(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database.getHandle(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
}

}  // namespace rethink
