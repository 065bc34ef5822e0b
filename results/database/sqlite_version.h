// Which SQLite this program runs with.
#pragma once

#include <string>

namespace rethink {

/// "3.40.1", and what must be known of it: before 3.51.3 two connections that checkpoint one WAL
/// file can corrupt it, which is why only the holder of the store's lock writes.
std::string sqlite_text();

}  // namespace rethink
