// Rows of trials that a killed `rm` took off the record: readers pass them over until a writer deletes them.
#pragma once

#include <filesystem>

namespace SQLite {
class Database;
}

namespace rethink {

/// Has each query of this connection that names a table without `main.` miss the rows of trials whose
/// folders were set aside (removed_trials.h). Cost: none where there are no such folders.
void hide_removed_trials(SQLite::Database& database, const std::filesystem::path& store);

}  // namespace rethink
