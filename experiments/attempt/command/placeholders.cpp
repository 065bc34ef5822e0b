#include "experiments/attempt/command/placeholders.h"

#include <fmt/format.h>

#include "core/error.h"

namespace rethink {
namespace {

/// Calls text(part) and name(part) for the parts of `word`, in order.
void visit_parts(const std::string& word, const std::function<void(const std::string&)>& text,
                 const std::function<void(const std::string&)>& name) {
  const auto is_doubled = [&](size_t at) {
    return at + 1 < word.size() && word[at + 1] == word[at];
  };
  for (size_t at = 0; at < word.size(); ++at) {
    const char c = word[at];
    if ((c == '{' || c == '}') && is_doubled(at)) {
      text(std::string(1, c));
      ++at;
    } else if (c == '{') {
      const size_t end = word.find('}', at);
      if (end == std::string::npos)
        throw ConfigError("invalid-placeholder",
                          fmt::format("'{}' has a {{ without }}; write {{{{ for a brace", word));
      name(word.substr(at + 1, end - at - 1));
      at = end;
    } else if (c == '}') {
      throw ConfigError("invalid-placeholder",
                        fmt::format("'{}' has a }} without {{; write }}}} for a brace", word));
    } else {
      text(std::string(1, c));
    }
  }
}

}  // namespace

std::vector<std::string> placeholders_in(const std::string& word) {
  std::vector<std::string> names;
  visit_parts(
      word, [](const std::string&) {}, [&](const std::string& name) { names.push_back(name); });
  return names;
}

std::string with_placeholders(const std::string& word,
                              const std::function<std::string(const std::string&)>& value_of) {
  std::string whole;
  visit_parts(
      word, [&](const std::string& text) { whole += text; },
      [&](const std::string& name) { whole += value_of(name); });
  return whole;
}

}  // namespace rethink
