#include "core/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "core/error.h"
#include "core/format/file_kind.h"
#include "core/json_place.h"

namespace rethink {
namespace {

constexpr int kDeepestJson = 500;  // writers and readers of what was parsed call themselves

/// Most texts need no escapes; the library's writer, five times as slow, gets the others.
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

const Json* find_path(const Json& value, std::string_view dotted) {
  const Json* found = &value;
  for (size_t begin = 0; begin <= dotted.size();) {
    const size_t end = std::min(dotted.find('.', begin), dotted.size());
    const auto inner = found->find(std::string(dotted.substr(begin, end - begin)));
    if (!found->is_object() || inner == found->end()) return nullptr;
    found = &*inner;
    begin = end + 1;
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

Json parse_json(std::string_view text, const std::string& what) {
  // nlohmann takes a byte 0 for the end, and what follows it for nothing.
  if (const size_t zero = text.find('\0'); zero != std::string_view::npos)
    throw ConfigError(
        fmt::format("{}: not valid JSON at byte {}: a byte that is 0", what, zero + 1));
  // nlohmann keeps the last of two equal keys; a repeated key is a mistake somewhere and must not
  // pass.
  std::vector<std::set<std::string>> seen;
  const auto refuse_repeats = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (depth > kDeepestJson)
      throw ConfigError(fmt::format("{}: nested deeper than {} levels", what, kDeepestJson));
    if (event == Json::parse_event_t::object_start) seen.emplace_back();
    if (event == Json::parse_event_t::object_end) seen.pop_back();
    if (event == Json::parse_event_t::key &&
        !seen.back().insert(parsed.get<std::string>()).second) {
      throw ConfigError(
          fmt::format("{}: key '{}' stands twice in one object", what, parsed.get<std::string>()));
    }
    return true;
  };
  try {
    return Json::parse(text.begin(), text.end(), refuse_repeats);
  } catch (const Json::exception& error) {
    throw ConfigError(fmt::format("{}: {}", what, trouble_with_json(text, error)));
  }
}

Json read_json(const std::filesystem::path& path) {
  return parse_json(read_expected(path, ExpectedFile::json), path.string());
}

}  // namespace rethink
