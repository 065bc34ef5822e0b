// Files of tests/golden: what must not change by accident.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/support/temp_folder.h"

namespace rethink {

/// The golden file's text; with RETHINK_UPDATE_GOLDEN=1 it is `now` from then on.
inline std::string golden(const std::string& name, const std::string& now) {
  const std::filesystem::path file =
      std::filesystem::path(RETHINK_SOURCE_DIR) / "tests/golden" / name;
  const char* update = std::getenv("RETHINK_UPDATE_GOLDEN");
  if (update && std::string(update) == "1") write_text(file, now);
  return read_text(file);
}

}  // namespace rethink
