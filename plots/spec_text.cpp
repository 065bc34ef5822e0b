#include "plots/spec_text.h"

#include <algorithm>
#include <cctype>

#include "core/error.h"
#include "core/json.h"
#include "core/yaml/written_values.h"

namespace rethink {
namespace {

bool is_plain_letter(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 ||
         std::string("_./+-@()=").find(letter) != std::string::npos;
}

/// Whether YAML reads the text unchanged without quotes, also within {} and [].
bool is_plain_scalar(const std::string& text) {
  if (text.empty() || text == "." || text == "=" || text == "-") return false;
  const bool begins_well = std::isalnum(static_cast<unsigned char>(text.front())) != 0 ||
                           text.front() == '(' || text.front() == '.' || is_decimal(text);
  if (!begins_well || text.back() == ' ' || text.find("  ") != std::string::npos) return false;
  return std::ranges::all_of(text,
                             [](char letter) { return letter == ' ' || is_plain_letter(letter); });
}

}  // namespace

std::string spec_word(const std::string& text) {
  return is_plain_scalar(text) ? text : Json(text).dump();
}

std::string spec_map(const SpecEntries& entries) {
  std::vector<std::string> parts;
  for (const auto& [key, value] : entries) parts.push_back(spec_word(key) + ": " + value);
  return "{" + joined(parts) + "}";
}

std::string spec_where(const SpecEntries& values) {
  SpecEntries written;
  for (const auto& [key, value] : values) written.emplace_back(key, spec_word(value));
  return spec_map(written);
}

}  // namespace rethink
