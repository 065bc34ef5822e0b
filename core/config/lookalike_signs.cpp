#include "core/config/lookalike_signs.h"

#include <fmt/format.h>

#include <algorithm>

namespace rethink {
namespace {

constexpr std::string_view kQuotes[] = {"\u201c", "\u201d", "\u201e", "\u201f", "\u2018", "\u2019",
                                        "\u201a", "\u201b", "\u00ab", "\u00bb", "\u2039", "\u203a",
                                        "\u300c", "\u300d", "\uff02", "\uff07"};

enum class SignUse { separator, minus };

struct LookalikeSign {
  std::string_view bytes;  // in UTF-8
  const char *name, *plain;
  SignUse use;
};

constexpr LookalikeSign kSigns[] = {
    {"\uff1a", "a full-width colon (U+FF1A)", ":", SignUse::separator},
    {"\ufe55", "a small colon (U+FE55)", ":", SignUse::separator},
    {"\u2236", "a ratio sign (U+2236)", ":", SignUse::separator},
    {"\uff0c", "a full-width comma (U+FF0C)", ",", SignUse::separator},
    {"\u3001", "an ideographic comma (U+3001)", ",", SignUse::separator},
    {"\ufe50", "a small comma (U+FE50)", ",", SignUse::separator},
    {"\u2212", "a minus sign (U+2212)", "-", SignUse::minus},
    {"\u2010", "a hyphen (U+2010)", "-", SignUse::minus},
    {"\u2011", "a non-breaking hyphen (U+2011)", "-", SignUse::minus},
    {"\u2012", "a figure dash (U+2012)", "-", SignUse::minus},
    {"\u2013", "an en dash (U+2013)", "-", SignUse::minus},
    {"\u2014", "an em dash (U+2014)", "-", SignUse::minus},
    {"\uff0d", "a full-width hyphen (U+FF0D)", "-", SignUse::minus}};

bool is_ascii_digit(char c) {
  return c >= '0' && c <= '9';
}

/// A letter, a digit, or what ends a list, a map or a quote.
bool ends_key_or_value(char c) {
  return is_ascii_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == ']' || c == '}' || c == '"' || c == '\'';
}

/// Whether the plain sign could be meant at `at`: behind a key or a value, or before a number.
bool could_be_plain(std::string_view line, size_t at, const LookalikeSign& sign) {
  const size_t next = at + sign.bytes.size();
  if (sign.use == SignUse::separator) return at > 0 && ends_key_or_value(line[at - 1]);
  return next < line.size() && (is_ascii_digit(line[next]) || line[next] == '.');
}

}  // namespace

std::string typographic_quotes_around(std::string_view text) {
  const auto begins = [&](std::string_view quote) { return text.starts_with(quote); };
  const auto ends = [&](std::string_view quote) { return text.ends_with(quote); };
  const bool has_both = std::ranges::any_of(kQuotes, begins) && std::ranges::any_of(kQuotes, ends);
  return has_both ? "which has typographic quotes around it" : "";
}

std::string lookalike_sign_in(std::string_view line) {
  char quote = 0;
  for (size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (quote) {
      if (c == quote) quote = 0;
      continue;
    }
    if (c == '"' || c == '\'') quote = c;
    if (c == '#' && (at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t')) return "";
    for (const LookalikeSign& sign : kSigns) {
      if (line.substr(at).starts_with(sign.bytes) && could_be_plain(line, at, sign)) {
        return fmt::format("\n  column {} has {}, which is no '{}'", at + 1, sign.name, sign.plain);
      }
    }
  }
  return "";
}

}  // namespace rethink
