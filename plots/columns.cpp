#include "plots/columns.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>

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

/// The one at the beginning of `text`; a byte that is not UTF-8 stands alone.
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

}  // namespace rethink
