#include "tests/support/kill_point_names.h"

#include <regex>

#include "tests/support/temp_folder.h"

namespace rethink {

std::map<std::string, std::string> kill_point_names(const std::filesystem::path& folder) {
  // Skips lines with a slash before the call, since comments show how to use kill_point().
  static const std::regex call(R"re(\n[^/\n]*kill_point\("([a-z_0-9]+)"\))re");
  std::map<std::string, std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string ending = entry.path().extension().string();
    if (ending != ".cpp" && ending != ".h") continue;
    const std::string text = read_text(entry.path());
    for (std::sregex_iterator found(text.begin(), text.end(), call), end; found != end; ++found) {
      names[(*found)[1]] = entry.path().lexically_relative(folder).string();
    }
  }
  return names;
}

}  // namespace rethink
