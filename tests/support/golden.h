// Files that tests compare with results, to detect accidental changes; most are in tests/golden.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/temp_folder.h"

namespace rethink {

/// Returns the text of a file of the repository. With RETHINK_UPDATE_GOLDEN=1 first writes `now`
/// into the file.
inline std::string kept_text(const std::string& path, const std::string& now) {
  const std::filesystem::path file = std::filesystem::path(RETHINK_SOURCE_DIR) / path;
  const char* update = std::getenv("RETHINK_UPDATE_GOLDEN");
  if (update && std::string(update) == "1") write_text(file, now);
  return read_text(file);
}

/// The same for a file of tests/golden.
inline std::string golden(const std::string& name, const std::string& now) {
  return kept_text("tests/golden/" + name, now);
}

/// Returns lines of the golden file that `now` lacks, for files to which a new plug-in may add
/// lines.
inline std::vector<std::string> lost_golden_lines(const std::string& name, const std::string& now) {
  std::istringstream kept(golden(name, now)), present(now);
  std::set<std::string> there;
  for (std::string line; std::getline(present, line);) there.insert(line);
  std::vector<std::string> lost;
  for (std::string line; std::getline(kept, line);) {
    if (!there.contains(line)) lost.push_back(line);
  }
  return lost;
}

}  // namespace rethink
