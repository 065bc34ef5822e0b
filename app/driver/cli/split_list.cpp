#include "app/driver/cli/split_list.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/text.h"

namespace rethink {

std::vector<std::string> split_list(const std::string& option,
                                    const std::vector<std::string>& given) {
  std::vector<std::string> items;
  for (const std::string& text : given) {
    int depth = 0;
    items.emplace_back();
    for (const char c : text) {
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (c == ',' && depth == 0) {
        items.emplace_back();
      } else if (c != ' ' || depth > 0) {
        items.back() += c;
      }
    }
  }
  std::erase(items, "");
  if (items.empty()) {
    throw ConfigError("invalid-argument", fmt::format("{}: got '{}', expected names with commas "
                                                      "between them",
                                                      option, joined(given, " ")));
  }
  return items;
}

}  // namespace rethink
