#include "results/database/sqlite_version.h"

#include <sqlite3.h>

namespace rethink {

std::string sqlite_text() {
  constexpr int kFixed = 3051003;
  std::string text = sqlite3_libversion();
  if (sqlite3_libversion_number() < kFixed) {
    text += " (its WAL bug, fixed in 3.51.3, needs two writers; rethink has one)";
  }
  return text;
}

}  // namespace rethink
