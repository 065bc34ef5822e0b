#include "datasets/text_lines.h"

#include <algorithm>

#include "core/file.h"

namespace rethink {

std::vector<std::string> read_lines(const std::filesystem::path& file) {
  std::vector<std::string> lines;
  const std::string text = read_file(file);
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    if (lines.back().ends_with('\r')) lines.back().pop_back();
    begin = end + 1;
  }
  return lines;
}

}  // namespace rethink
