#include "core/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace rethink {
namespace {

/// Returns the length of the character that begins with this byte [bytes]; 0 if no character does.
size_t length_of(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xC2) return 0;
  if (lead < 0xE0) return 2;
  if (lead < 0xF0) return 3;
  return lead < 0xF5 ? 4 : 0;
}

/// The second byte is restricted, since other values would encode an overlong form, a surrogate or
/// a character above U+10FFFF.
bool fits(unsigned char lead, unsigned char second) {
  const unsigned char least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned char most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  return second >= least && second <= most;
}

/// Returns the length of the character at `at` [bytes]; 0 without a valid character.
size_t length_at(std::string_view text, size_t at) {
  const auto byte = [&](size_t place) { return static_cast<unsigned char>(text[place]); };
  const size_t length = length_of(byte(at));
  if (length == 0 || at + length > text.size()) return 0;
  if (length > 1 && !fits(byte(at), byte(at + 1))) return 0;
  for (size_t i = 2; i < length; ++i) {
    if (!continues_letter(text[at + i])) return 0;
  }
  return length;
}

}  // namespace

size_t find_invalid_utf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const size_t length = length_at(text, at);
    if (length == 0) return at;
    at += length;
  }
  return std::string_view::npos;
}

bool continues_letter(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

std::string_view without_byte_order_marks(std::string_view text) {
  while (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return text;
}

std::string without_text_marks(std::string text) {
  text.erase(0, text.size() - without_byte_order_marks(text).size());
  if (text.find('\n') == std::string::npos) std::ranges::replace(text, '\r', '\n');
  return text;
}

size_t find_doubled_line_end(std::string_view text) {
  constexpr std::string_view kDoubled = "\r\r\n";
  const size_t first = text.find(kDoubled);
  if (first == std::string_view::npos) return first;
  size_t doubled = 0;
  for (size_t at = first; at != std::string_view::npos; at = text.find(kDoubled, at + 1)) ++doubled;
  const auto all = static_cast<size_t>(std::ranges::count(text, '\n'));
  return 2 * doubled >= all ? first : std::string_view::npos;
}

size_t find_end_of_dos(std::string_view text) {
  const size_t last = text.find_last_not_of("\r\n\x1A");
  return text.find('\x1A', last == std::string_view::npos ? 0 : last + 1);
}

std::string one_line(std::string_view text) {
  std::string line;
  bool after_gap = false;
  for (const char c : text) {
    const bool is_gap = static_cast<unsigned char>(c) < ' ' || c == '\x7F';
    if (!is_gap) line += c;
    if (is_gap && !after_gap) line += ' ';
    after_gap = is_gap;
  }
  return line;
}

std::string visible_controls(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const size_t length = length_at(text, at);
    const bool is_high = length == 2 && byte == 0xC2 &&
                         static_cast<unsigned char>(text[at + 1]) < 0xA0;  // U+0080 to U+009F
    const bool is_low = (byte < ' ' && byte != '\n' && byte != '\t') || byte == 0x7F;
    if (is_low || length == 0) {
      shown += fmt::format("\\x{:02x}", byte);
    } else if (is_high) {
      shown += fmt::format("\\u{:04x}", static_cast<unsigned char>(text[at + 1]));
    } else {
      shown += text.substr(at, length);
    }
    at += std::max<size_t>(1, length);
  }
  return shown;
}

}  // namespace rethink
