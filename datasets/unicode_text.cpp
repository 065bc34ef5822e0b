#include "datasets/unicode_text.h"

#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utf8.h>

#include <algorithm>

namespace rethink {
namespace {

/// The bytes of the character at `at`; `valid` says whether they are UTF-8.
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
  if (std::all_of(text.begin(), text.end(),
                  [](char c) { return static_cast<unsigned char>(c) < 0x80; })) {
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

std::vector<size_t> code_point_begins(std::string_view text) {
  std::vector<size_t> begins;
  for (size_t at = 0; at < text.size(); ++at) {
    if ((static_cast<unsigned char>(text[at]) & 0xC0) != 0x80) begins.push_back(at);
  }
  begins.push_back(text.size());
  return begins;
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

std::u32string to_code_points(std::string_view text) {
  std::u32string code_points;
  code_points.reserve(text.size());
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  for (int64_t at = 0; at < static_cast<int64_t>(text.size());) {
    UChar32 code_point = 0;
    U8_NEXT_OR_FFFD(bytes, at, static_cast<int64_t>(text.size()), code_point);
    code_points.push_back(static_cast<char32_t>(code_point));
  }
  return code_points;
}

std::string to_utf8(std::u32string_view code_points) {
  std::string text;
  for (const char32_t c : code_points) {
    uint8_t bytes[U8_MAX_LENGTH];
    int32_t length = 0;
    U8_APPEND_UNSAFE(bytes, length, static_cast<UChar32>(c));
    text.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(length));
  }
  return text;
}

std::vector<std::string> words_between_spaces(std::string_view line) {
  std::vector<std::string> words;
  bool inside = false;
  for (const std::string_view character : characters_of(line)) {
    if (is_space(to_code_points(character)[0])) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    words.back() += character;
    inside = true;
  }
  return words;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

// ASCII is checked first, since most of an English text is ASCII, and this saves a call.
bool is_space(char32_t c) {
  if (c < 0x80) return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f);
  return u_isUWhiteSpace(static_cast<UChar32>(c));
}

bool is_digit(char32_t c) {
  return c < 0x80 ? c >= '0' && c <= '9' : u_isdigit(static_cast<UChar32>(c));
}

bool is_numeric(char32_t c) {
  return is_digit(c) || (c >= 0x80 && (U_GET_GC_MASK(static_cast<UChar32>(c)) &
                                       (U_GC_NL_MASK | U_GC_NO_MASK)) != 0);
}

bool is_letter(char32_t c) {
  return c < 0x80 ? (c | 0x20) >= 'a' && (c | 0x20) <= 'z' : u_isalpha(static_cast<UChar32>(c));
}

bool is_word_character(char32_t c) {
  return c == '_' || is_digit(c) || is_letter(c);
}

bool is_lower(char32_t c) {
  return c < 0x80 ? c >= 'a' && c <= 'z' : u_islower(static_cast<UChar32>(c));
}

bool is_upper(char32_t c) {
  return c < 0x80 ? c >= 'A' && c <= 'Z' : u_isupper(static_cast<UChar32>(c));
}

}  // namespace rethink
