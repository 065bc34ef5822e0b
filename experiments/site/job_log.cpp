#include "experiments/site/job_log.h"

#include <sstream>
#include <system_error>
#include <vector>

#include "core/error.h"
#include "core/files/file.h"

namespace rethink {

std::string end_of_job_log(const std::filesystem::path& log) {
  constexpr size_t kMostLines = 5;
  std::error_code missing;
  if (!std::filesystem::exists(log, missing)) return "";
  std::vector<std::string> lines;
  std::istringstream text(read_file(log));
  for (std::string line; std::getline(text, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  if (lines.size() > kMostLines)
    lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(kMostLines));
  return joined(lines, "; ");
}

}  // namespace rethink
