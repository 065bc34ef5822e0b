// A database file may be a stranger's: its schema may hold views, triggers and expressions that are
// not ours.
#pragma once

namespace SQLite {
class Database;
}

namespace rethink {

/// SQL, of the file's triggers too, can then no longer damage the file itself (defensive mode), and
/// what its schema says may call harmless functions only (its schema is not trusted). To be called
/// before anything of the file is read. SQLite 3.40 counts its own json_extract among the others:
/// each connection makes the views that call it for itself (own_views in schema.h).
void distrust(SQLite::Database& database);

}  // namespace rethink
