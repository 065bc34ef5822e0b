#include "core/yaml/lookalike_characters.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.h"

namespace rethink {

namespace {

constexpr const char *kNoSpace = "which is no space", *kUnseen = "which cannot be seen";
constexpr OddBlank kOddBlanks[] = {{"\v", "a vertical tab (U+000B)", kNoSpace},
                                   {"\f", "a form feed (U+000C)", kNoSpace},
                                   {"\x1c", "a file separator (U+001C)", kNoSpace},
                                   {"\x1d", "a group separator (U+001D)", kNoSpace},
                                   {"\x1e", "a record separator (U+001E)", kNoSpace},
                                   {"\x1f", "a unit separator (U+001F)", kNoSpace},
                                   {"\xc2\x85", "a next-line mark (U+0085)", kNoSpace},
                                   {"\u00a0", "a no-break space (U+00A0)", kNoSpace},
                                   {"\u00ad", "a soft hyphen (U+00AD)", kUnseen},
                                   {"\u034f", "a grapheme joiner (U+034F)", kUnseen},
                                   {"\u061c", "an Arabic letter mark (U+061C)", kUnseen},
                                   {"\u115f", "a Hangul filler (U+115F)", kNoSpace},
                                   {"\u1160", "a Hangul filler (U+1160)", kNoSpace},
                                   {"\u1680", "an ogham space (U+1680)", kNoSpace},
                                   {"\u180e", "a Mongolian vowel separator (U+180E)", kUnseen},
                                   {"\u2000", "an en quad (U+2000)", kNoSpace},
                                   {"\u2001", "an em quad (U+2001)", kNoSpace},
                                   {"\u2002", "an en space (U+2002)", kNoSpace},
                                   {"\u2003", "an em space (U+2003)", kNoSpace},
                                   {"\u2004", "a three-per-em space (U+2004)", kNoSpace},
                                   {"\u2005", "a four-per-em space (U+2005)", kNoSpace},
                                   {"\u2006", "a six-per-em space (U+2006)", kNoSpace},
                                   {"\u2007", "a figure space (U+2007)", kNoSpace},
                                   {"\u2008", "a punctuation space (U+2008)", kNoSpace},
                                   {"\u2009", "a thin space (U+2009)", kNoSpace},
                                   {"\u200a", "a hair space (U+200A)", kNoSpace},
                                   {"\u200b", "a zero-width space (U+200B)", kUnseen},
                                   {"\u200c", "a zero-width non-joiner (U+200C)", kUnseen},
                                   {"\u200d", "a zero-width joiner (U+200D)", kUnseen},
                                   {"\u200e", "a left-to-right mark (U+200E)", kUnseen},
                                   {"\u200f", "a right-to-left mark (U+200F)", kUnseen},
                                   {"\u2028", "a line separator (U+2028)", kNoSpace},
                                   {"\u2029", "a paragraph separator (U+2029)", kNoSpace},
                                   {"\u202a", "a left-to-right embedding (U+202A)", kUnseen},
                                   {"\u202b", "a right-to-left embedding (U+202B)", kUnseen},
                                   {"\u202c", "an end of a direction (U+202C)", kUnseen},
                                   {"\u202d", "a left-to-right override (U+202D)", kUnseen},
                                   {"\u202e", "a right-to-left override (U+202E)", kUnseen},
                                   {"\u202f", "a narrow no-break space (U+202F)", kNoSpace},
                                   {"\u205f", "a mathematical space (U+205F)", kNoSpace},
                                   {"\u2060", "a word joiner (U+2060)", kUnseen},
                                   {"\u2061", "an invisible function mark (U+2061)", kUnseen},
                                   {"\u2062", "an invisible times sign (U+2062)", kUnseen},
                                   {"\u2063", "an invisible comma (U+2063)", kUnseen},
                                   {"\u2064", "an invisible plus sign (U+2064)", kUnseen},
                                   {"\u2066", "a left-to-right isolate (U+2066)", kUnseen},
                                   {"\u2067", "a right-to-left isolate (U+2067)", kUnseen},
                                   {"\u2068", "a first-strong isolate (U+2068)", kUnseen},
                                   {"\u2069", "an end of an isolate (U+2069)", kUnseen},
                                   {"\u2800", "a blank Braille pattern (U+2800)", kNoSpace},
                                   {"\u3000", "an ideographic space (U+3000)", kNoSpace},
                                   {"\u3164", "a Hangul filler (U+3164)", kNoSpace},
                                   {"\ufe0e", "a variation selector (U+FE0E)", kUnseen},
                                   {"\ufe0f", "a variation selector (U+FE0F)", kUnseen},
                                   {"\ufeff", "a byte order mark (U+FEFF)", kUnseen},
                                   {"\uffa0", "a Hangul filler (U+FFA0)", kNoSpace}};

const OddBlank* odd_blank_at(std::string_view text, size_t at) {
  for (const OddBlank& blank : kOddBlanks) {
    if (text.substr(at).starts_with(blank.bytes)) return &blank;
  }
  return nullptr;
}

/// The code point that begins at `at`; 0 at the end of the text.
char32_t code_point_at(std::string_view text, size_t at) {
  if (at >= text.size()) return 0;
  const auto first = static_cast<unsigned char>(text[at]);
  const unsigned kMasks[] = {0x7F, 0x1F, 0x0F, 0x07};
  char32_t point = first & kMasks[first < 0x80 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3];
  for (size_t i = at + 1; i < text.size() && continues_letter(text[i]); ++i)
    point = point << 6 | (static_cast<unsigned char>(text[i]) & 0x3Fu);
  return point;
}

char32_t code_point_before(std::string_view text, size_t at) {
  if (at == 0) return 0;
  for (--at; at > 0 && continues_letter(text[at]);) --at;
  return code_point_at(text, at);
}

bool is_plain(char c) {
  return c > ' ' && c < 0x7F;
}

bool is_between(char32_t point, char32_t first, char32_t last) {
  return first <= point && point <= last;
}

constexpr char32_t kJoiner = 0x200D, kNonJoiner = 0x200C, kTextStyle = 0xFE0E, kEmojiStyle = 0xFE0F,
                   kKeycap = 0x20E3, kVowelSeparator = 0x180E;

/// Symbols and pictures, and the modifiers that follow them: a skin tone, a style, a keycap.
bool is_emoji(char32_t point) {
  return point == 0xA9 || point == 0xAE || point == 0x203C || point == 0x2049 ||
         is_between(point, 0x20D0, 0x2BFF) || is_between(point, 0x3030, 0x303D) ||
         is_between(point, 0x3297, 0x3299) || is_between(point, 0x1F000, 0x1FAFF) ||
         is_between(point, 0xE0020, 0xE007F) || point == kEmojiStyle;
}

/// Arabic, Syriac, N'Ko, the scripts of India and its neighbours, Khmer and Mongolian: in these
/// scripts a joiner changes the shape of letters.
bool is_of_joining_script(char32_t point) {
  return (is_between(point, 0x0620, 0x0DFF) || is_between(point, 0x1000, 0x109F) ||
          is_between(point, 0x1780, 0x18AF) || is_between(point, 0xA840, 0xABFF) ||
          is_between(point, 0xFB50, 0xFDFF) || is_between(point, 0xFE70, 0xFEFE) ||
          is_between(point, 0x10A00, 0x11FFF)) &&
         point != kVowelSeparator;
}

bool is_right_to_left(char32_t point) {
  return is_between(point, 0x0590, 0x061B) || is_between(point, 0x061D, 0x08FF) ||
         is_between(point, 0xFB1D, 0xFDFF) || is_between(point, 0xFE70, 0xFEFE);
}

/// Whether the character at `at` is part of an emoji, or of a script that uses it.
bool belongs_there(std::string_view text, size_t at, size_t bytes) {
  const char32_t before = code_point_before(text, at), after = code_point_at(text, at + bytes);
  switch (code_point_at(text, at)) {
    case kJoiner:
      return is_of_joining_script(before) || (is_emoji(before) && is_emoji(after));
    case kNonJoiner:
      return is_of_joining_script(before);
    case kTextStyle:
    case kEmojiStyle:
      return (is_emoji(before) && before != kEmojiStyle) || after == kKeycap ||
             is_between(before, 0x3400, 0x9FFF);  // variants of Chinese characters
    case kVowelSeparator:
      return is_between(before, 0x1800, 0x18AF) && is_between(after, 0x1800, 0x18AF);
    case 0x061C:
    case 0x200E:
    case 0x200F:
      return is_right_to_left(before) || is_right_to_left(after);
    default:
      return false;
  }
}

}  // namespace

std::optional<FoundBlank> find_odd_blank(std::string_view text) {
  for (size_t at = 0; at < text.size(); ++at) {
    const OddBlank* const blank = odd_blank_at(text, at);
    if (blank && !belongs_there(text, at, blank->bytes.size())) return FoundBlank{at, blank};
  }
  return std::nullopt;
}

std::optional<FoundBlank> find_outer_blank(std::string_view text) {
  if (text.empty() || (is_plain(text.front()) && is_plain(text.back()))) return std::nullopt;
  for (const OddBlank& blank : kOddBlanks) {
    if (text.starts_with(blank.bytes) && !belongs_there(text, 0, blank.bytes.size()))
      return FoundBlank{0, &blank};
  }
  for (const OddBlank& blank : kOddBlanks) {
    const size_t at = text.size() - std::min(text.size(), blank.bytes.size());
    if (text.ends_with(blank.bytes) && !belongs_there(text, at, blank.bytes.size()))
      return FoundBlank{at, &blank};
  }
  return std::nullopt;
}

std::string_view without_outer_blanks(std::string_view text) {
  while (const std::optional<FoundBlank> found = find_outer_blank(text)) {
    text = found->at == 0 ? text.substr(found->blank->bytes.size()) : text.substr(0, found->at);
    const size_t begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t") + 1;
    text = end == 0 ? std::string_view() : text.substr(begin, end - begin);
  }
  return text;
}

std::string odd_blank_in(std::string_view line) {
  const std::optional<FoundBlank> found = find_odd_blank(line);
  if (!found) return "";
  return fmt::format("\n  column {} has {}, {}", found->at + 1, found->blank->name,
                     found->blank->what);
}

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

/// A letter, a digit, or a character that ends a list, a map or a quote.
bool ends_key_or_value(char c) {
  return is_ascii_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == ']' || c == '}' || c == '"' || c == '\'';
}

/// Whether the plain character could be meant at `at`: after a key or a value, or before a number.
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
