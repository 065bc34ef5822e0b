#include "datasets/unicode_text.h"

#include <unicode/locid.h>
#include <unicode/unistr.h>
#include <unicode/utf8.h>

#include <algorithm>

namespace rethink {
namespace {

/// Bytes of the character at `at`; `valid` says whether they are UTF-8.
struct Extent {
  size_t bytes;
  bool valid;
};

Extent character_at(std::string_view text, size_t at) {
  if (static_cast<unsigned char>(text[at]) < 0x80) return {1, true};
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data()) + at;
  const auto length = static_cast<int32_t>(std::min<size_t>(text.size() - at, 4));
  int32_t next = 0;
  UChar32 code_point = 0;
  U8_NEXT(bytes, next, length, code_point);
  return code_point < 0 ? Extent{1, false} : Extent{static_cast<size_t>(next), true};
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string lowered;
  if (std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; })) {
    lowered.assign(text);
    for (char& c : lowered) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return lowered;
  }
  icu::UnicodeString::fromUTF8({text.data(), static_cast<int32_t>(text.size())})
      .toLower(icu::Locale::getRoot())
      .toUTF8String(lowered);
  return lowered;
}

std::vector<std::string_view> characters_of(std::string_view text) {
  std::vector<std::string_view> characters;
  characters.reserve(text.size());
  for (size_t at = 0; at < text.size(); at += characters.back().size()) {
    characters.push_back(text.substr(at, character_at(text, at).bytes));
  }
  return characters;
}

size_t count_characters(std::string_view text) {
  size_t count = 0;
  for (size_t at = 0; at < text.size(); at += character_at(text, at).bytes) ++count;
  return count;
}

size_t find_invalid_utf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const Extent extent = character_at(text, at);
    if (!extent.valid) return at;
    at += extent.bytes;
  }
  return std::string_view::npos;
}

}  // namespace rethink
