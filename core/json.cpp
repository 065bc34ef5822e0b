#include "core/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

#include "core/error.h"

namespace rethink {

namespace {

constexpr std::string_view kJsonBlanks = " \t\r\n";
constexpr int kDeepestJson = 500;  // writers and readers of parsed values are recursive

/// Most texts need no escapes. The library's writer, which is five times as slow, writes the
/// others.
void append_json(const std::string& text, std::string& out) {
  const auto is_plain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
  if (!std::all_of(text.begin(), text.end(), is_plain)) {
    out += Json(text).dump();
    return;
  }
  out += '"';
  out += text;
  out += '"';
}

void append_json(const Json& value, std::string& out) {
  switch (value.type()) {
    case Json::value_t::object: {
      out += '{';
      bool first = true;
      for (auto item = value.begin(); item != value.end(); ++item) {
        if (!first) out += ',';
        first = false;
        append_json(item.key(), out);
        out += ':';
        append_json(item.value(), out);
      }
      out += '}';
      return;
    }
    case Json::value_t::array: {
      out += '[';
      for (size_t i = 0; i < value.size(); ++i) {
        if (i) out += ',';
        append_json(value[i], out);
      }
      out += ']';
      return;
    }
    case Json::value_t::string:
      append_json(value.get_ref<const std::string&>(), out);
      return;
    case Json::value_t::number_integer:
      out += std::to_string(value.get<int64_t>());
      return;
    case Json::value_t::number_unsigned:
      out += std::to_string(value.get<uint64_t>());
      return;
    case Json::value_t::number_float:
      out += shortest(value.get<double>());
      return;
    default:
      out += value.dump();
  }
}

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

std::string shortest(double value) {
  RETHINK_ASSERT(std::isfinite(value), fmt::format("{}", value));
  std::string text = fmt::format("{}", value == 0 ? 0.0 : value);  // -0.0 and 0.0 are one number
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string canonical_json(const Json& value) {
  std::string out;
  append_json(value, out);
  return out;
}

std::optional<size_t> list_index(std::string_view part) {
  size_t index = 0;
  const char* end = part.data() + part.size();
  const auto [read, error] = std::from_chars(part.data(), end, index);
  const bool is_index = error == std::errc() && read == end && std::to_string(index) == part;
  return is_index ? std::optional(index) : std::nullopt;
}

const Json* find_path(const Json& value, std::string_view dotted) {
  const Json* found = &value;
  for (size_t begin = 0; begin <= dotted.size();) {
    const size_t end = std::min(dotted.find('.', begin), dotted.size());
    const std::string part(dotted.substr(begin, end - begin));
    begin = end + 1;
    const std::optional<size_t> index = found->is_array() ? list_index(part) : std::nullopt;
    if (index && *index < found->size()) {
      found = &found->at(*index);
    } else if (found->is_object() && found->contains(part)) {
      found = &found->at(part);
    } else {
      return nullptr;
    }
  }
  return found;
}

void each_leaf(const Json& object,
               const std::function<void(const std::string&, const Json&)>& use) {
  for (const auto& [name, value] : object.items()) {
    if (!value.is_object() || value.empty()) {
      use(name, value);
      continue;
    }
    each_leaf(value,
              [&](const std::string& key, const Json& leaf) { use(name + "." + key, leaf); });
  }
}

bool is_nested_too_deep(std::string_view text) {
  int depth = 0;
  bool in_text = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (in_text) {
      if (text[i] == '\\')
        ++i;
      else if (text[i] == '"')
        in_text = false;
      continue;
    }
    if (text[i] == '"') in_text = true;
    if (text[i] == ']' || text[i] == '}') --depth;
    if ((text[i] == '[' || text[i] == '{') && ++depth > kDeepestJson) return true;
  }
  return false;
}

std::string trouble_with_json(std::string_view text, const Json::exception& error) {
  if (is_json_lines(text)) return "is JSON Lines, a value in each line, not one JSON value";
  if (const auto* const parse = dynamic_cast<const Json::parse_error*>(&error))
    return fmt::format("not valid JSON at byte {}", parse->byte);
  std::string_view why = error.what();  // "[json.exception.out_of_range.406] number overflow ..."
  why.remove_prefix(std::min(why.size(), why.find("] ") + 2));
  return fmt::format("not valid JSON: {}", why);
}

namespace {

/// Builds a value from nlohmann's parse events. nlohmann keeps the last of two equal keys, but a
/// repeated key is a mistake and must be reported. The library's own parser with a callback takes
/// quadratic time for long lists.
class JsonBuilder {
 public:
  explicit JsonBuilder(const std::string& what) : what_(what) {}

  Json take() { return std::move(root_); }

  bool null() { return put(nullptr); }
  bool boolean(bool value) { return put(value); }
  bool number_integer(Json::number_integer_t value) { return put(value); }
  bool number_unsigned(Json::number_unsigned_t value) { return put(value); }
  bool number_float(Json::number_float_t value, const std::string&) { return put(value); }
  bool string(std::string& value) { return put(std::move(value)); }
  bool binary(Json::binary_t& value) { return put(std::move(value)); }
  bool start_object(size_t) { return open(Json::object()); }
  bool end_object() { return close(); }
  bool start_array(size_t) { return open(Json::array()); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    const auto [place, is_new] = open_.back()->emplace(name, nullptr);
    if (!is_new)
      throw ConfigError("duplicate-key",
                        fmt::format("{}: key '{}' is given twice in one object", what_, name));
    member_ = &*place;
    return true;
  }

  template <typename Error>
  bool parse_error(size_t, const std::string&, const Error& error) {
    throw error;
  }

 private:
  Json& next() {
    if (open_.empty()) return root_;
    if (open_.back()->is_object()) return *member_;
    return open_.back()->emplace_back();
  }
  template <typename Value>
  bool put(Value&& value) {
    next() = std::forward<Value>(value);
    return true;
  }
  bool open(Json&& container) {
    if (open_.size() == kDeepestJson)
      throw ConfigError("too-deep",
                        fmt::format("{}: nested deeper than {} levels", what_, kDeepestJson));
    Json& place = next();
    place = std::move(container);
    open_.push_back(&place);
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  const std::string& what_;
  Json root_;
  std::vector<Json*> open_;  // containers, the outermost first; only the last list grows
  Json* member_ = nullptr;   // the member whose key was read last
};

}  // namespace

Json parse_json(std::string_view text, const std::string& what) {
  // nlohmann reads a byte 0 as the end and ignores what follows.
  if (const size_t zero = text.find('\0'); zero != std::string_view::npos)
    throw ConfigError("invalid-json", fmt::format("{}: not valid JSON at byte {}: a byte that is 0",
                                                  what, zero + 1));
  try {
    JsonBuilder builder(what);
    Json::sax_parse(text.begin(), text.end(), &builder);
    return builder.take();
  } catch (const Json::exception& error) {
    throw ConfigError("invalid-json", fmt::format("{}: {}", what, trouble_with_json(text, error)));
  }
}

namespace {

/// Scans the text of valid JSON.
class JsonScan {
 public:
  explicit JsonScan(std::string_view text) : text_(text) { skip_blanks(); }

  size_t at() const { return at_; }

  /// Moves from the beginning of a value to the beginning of a value inside it; returns false if
  /// there is none.
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

  /// Moves past a value and the blanks after it.
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

}  // namespace rethink
