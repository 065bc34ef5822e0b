#include "plots/text_format.h"

#include <fmt/format.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <cmath>

namespace rethink {
namespace {

struct Letter {
  size_t bytes, columns;
};

size_t columns_of(UChar32 letter) {
  constexpr UChar32 kSoftHyphen = 0xAD;
  constexpr UChar32 kVowels = 0x1160, kLastFinal = 0x11FF;  // of Hangul, on their first consonant
  const bool is_over_another =
      (U_GET_GC_MASK(letter) & (U_GC_MN_MASK | U_GC_ME_MASK | U_GC_CF_MASK)) != 0 ||
      (letter >= kVowels && letter <= kLastFinal);
  if (is_over_another && letter != kSoftHyphen) return 0;
  const int32_t width = u_getIntPropertyValue(letter, UCHAR_EAST_ASIAN_WIDTH);
  return width == U_EA_WIDE || width == U_EA_FULLWIDTH ? 2 : 1;
}

/// The letter at the beginning of `text`; a byte that is not UTF-8 counts as a letter.
Letter first_letter(std::string_view text) {
  if (static_cast<unsigned char>(text[0]) < 0x80) return {1, 1};
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  const auto length = static_cast<int32_t>(std::min<size_t>(text.size(), 4));
  int32_t next = 0;
  UChar32 letter = 0;
  U8_NEXT(bytes, next, length, letter);
  return letter < 0 ? Letter{1, 1} : Letter{static_cast<size_t>(next), columns_of(letter)};
}

}  // namespace

size_t width_of(std::string_view text) {
  size_t columns = 0;
  while (!text.empty()) {
    const Letter letter = first_letter(text);
    columns += letter.columns;
    text.remove_prefix(letter.bytes);
  }
  return columns;
}

size_t bytes_within(std::string_view text, size_t columns) {
  size_t bytes = 0, taken = 0;
  while (bytes < text.size()) {
    const Letter letter = first_letter(text.substr(bytes));
    taken += letter.columns;
    if (taken > columns) break;
    bytes += letter.bytes;
  }
  return bytes;
}

std::vector<std::string> wrapped(const std::string& text, size_t most) {
  return wrapped(text, static_cast<double>(most),
                 [](const std::string& line) { return static_cast<double>(width_of(line)); });
}

std::vector<std::string> wrapped(const std::string& text, double most,
                                 double (*measure)(const std::string&)) {
  std::vector<std::string> lines(1);
  size_t at = 0;
  while (at < text.size()) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!lines.back().empty() && measure(lines.back() + " " + word) > most) lines.emplace_back();
    if (!lines.back().empty()) lines.back() += ' ';
    lines.back() += word;
    at = end + 1;
  }
  return lines;
}

std::string padded(const std::string& text, size_t width, bool right) {
  const std::string space(width - std::min(width, width_of(text)), ' ');
  return right ? space + text : text + space;
}

std::string fixed(double value, int64_t decimals, bool sign) {
  constexpr double kMostInFull = 1e12;
  std::string text = std::abs(value) < kMostInFull ? fmt::format("{:.{}f}", value, decimals)
                                                   : fmt::format("{:.2g}", value);
  if (text.find_first_not_of("-0.") == std::string::npos && text[0] == '-') text.erase(0, 1);
  if (sign && text[0] != '-' && text.find_first_not_of("0.") != std::string::npos)
    text.insert(0, "+");
  return text;
}

std::string escaped(const std::string& text,
                    const std::vector<std::pair<std::string, std::string>>& replace) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    size_t length = 0;
    for (const auto& [from, to] : replace) {
      if (text.compare(at, from.size(), from) != 0) continue;
      out += to;
      length = from.size();
      break;
    }
    if (length == 0) out += text[at];
    at += length == 0 ? 1 : length;
  }
  return out;
}

namespace {

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::string csv_line(const std::vector<std::string>& fields) {
  const bool is_blank =
      fields.size() == 1 && fields[0].find_first_not_of(" \t") == std::string::npos;
  if (is_blank) return "\"" + fields[0] + "\"\n";
  std::string line;
  for (size_t i = 0; i < fields.size(); ++i) line += (i ? "," : "") + csv_field(fields[i]);
  return line + "\n";
}

}  // namespace rethink
