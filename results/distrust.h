// A database file may be a stranger's: its schema may hold views, triggers and expressions that are
// not ours.
#pragma once

namespace SQLite {
class Database;
}

namespace rethink {

/// SQL, of the file's triggers too, can then no longer damage the file itself (defensive mode). To be
/// called before anything of the file is read. Its views may call every function: SQLite 3.40 takes
/// its own json_extract, which our views call, for unsafe where the schema is not trusted.
void distrust(SQLite::Database& database);

}  // namespace rethink
