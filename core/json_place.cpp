#include "core/json_place.h"

#include <fmt/format.h>

#include <algorithm>

namespace rethink {
namespace {

constexpr std::string_view kJsonBlanks = " \t\r\n";

/// Goes over the text of valid JSON.
class JsonScan {
 public:
  explicit JsonScan(std::string_view text) : text_(text) { skip_blanks(); }

  size_t at() const { return at_; }

  /// Goes from the beginning of a value to that of the value within it; false where there is none.
  bool enter(const Json& step) {
    const char open = step.is_string() ? '{' : '[';
    if (peek() != open) return false;
    skip(1);
    for (size_t index = 0; peek() != '}' && peek() != ']' && at_ < text_.size(); ++index) {
      if (step.is_string()) {
        const size_t begin = at_;
        skip_value();
        const bool is_key = Json::parse(text_.substr(begin, key_end_ - begin)) == step;
        skip(1);  // the colon
        if (is_key) return true;
      } else if (step.get<size_t>() == index) {
        return true;
      }
      skip_value();
      if (peek() == ',') skip(1);
    }
    return false;
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_blanks() { at_ = std::min(text_.find_first_not_of(kJsonBlanks, at_), text_.size()); }
  void skip(size_t bytes) {
    at_ += bytes;
    skip_blanks();
  }

  void skip_quoted() {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
    }
    ++at_;
  }

  /// Goes behind a value and the blanks after it.
  void skip_value() {
    size_t depth = 0;
    do {
      const char c = peek();
      if (c == '"') {
        skip_quoted();
      } else if (c == '{' || c == '[') {
        ++depth;
        ++at_;
      } else if (c == '}' || c == ']') {
        --depth;
        ++at_;
      } else if (depth == 0) {
        at_ = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
      } else {
        ++at_;
      }
    } while (depth > 0 && at_ < text_.size());
    key_end_ = at_;
    skip_blanks();
  }

  const std::string_view text_;
  size_t at_ = 0, key_end_ = 0;
};

/// Whether the first two lines with text are each a list or an object.
bool is_json_lines(std::string_view text) {
  size_t values = 0;
  while (!text.empty() && values < 2) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.find_first_not_of(kJsonBlanks) == std::string_view::npos) continue;
    const Json value = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!value.is_structured()) return false;
    ++values;
  }
  return values == 2;
}

}  // namespace

JsonPlace place_in_json(std::string_view text, const std::vector<Json>& steps) {
  JsonScan scan(text);
  size_t at = scan.at();
  for (const Json& step : steps) {
    if (!scan.enter(step)) break;
    at = scan.at();
  }
  const std::string_view before = text.substr(0, at);
  const size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  return {static_cast<size_t>(std::ranges::count(before, '\n')) + 1, at - line_begin + 1};
}

std::string trouble_with_json(std::string_view text, const Json::exception& error) {
  if (is_json_lines(text)) return "is JSON Lines, a value in each line, not one JSON value";
  const auto* const parse = dynamic_cast<const Json::parse_error*>(&error);
  return parse ? fmt::format("not valid JSON at byte {}", parse->byte)
               : fmt::format("not valid JSON: {}", error.what());  // 1e999
}

}  // namespace rethink
