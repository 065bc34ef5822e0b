#include "datasets/wordpiece/bert_characters.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>

#include "core/error.h"

namespace rethink {
namespace {

using Role = BertMark::Role;

constexpr char32_t kKnown = 0x3000;  // alphabets and punctuation; beyond are mostly ideographs
constexpr int kCategoriesOf = 8, kMarksOf = 9;  // versions of Unicode, see the header

bool is_within(char32_t c, char32_t first, char32_t last) {
  return c >= first && c <= last;
}

UChar32 icu(char32_t c) {
  return static_cast<UChar32>(c);
}

/// Whether Unicode `version`.0 assigned `c`.
bool was_there(char32_t c, int version) {
  UVersionInfo age;
  u_charAge(icu(c), age);
  return age[0] > 0 && (age[0] < version || (age[0] == version && age[1] == 0));
}

/// The general category of Unicode 8.0.
int8_t category(char32_t c) {
  switch (c) {  // those that a later version changed, as far as it matters here
    case 0x166D:
    case 0x111C9:
      return U_OTHER_PUNCTUATION;
    case 0x1734:
      return U_NON_SPACING_MARK;
    case 0x1885:
    case 0x1886:
      return U_OTHER_LETTER;
    case 0xA9BD:
      return U_COMBINING_SPACING_MARK;
    default:
      return was_there(c, kCategoriesOf) ? u_charType(icu(c)) : int8_t{U_UNASSIGNED};
  }
}

bool is_dropped(char32_t c) {
  if (c == '\t' || c == '\n' || c == '\r') return false;
  if (c == 0xFFFD) return true;
  const int8_t kind = category(c);
  return kind == U_CONTROL_CHAR || kind == U_FORMAT_CHAR || kind == U_PRIVATE_USE_CHAR;
}

/// The blocks that BERT calls Chinese; Japanese and Korean alphabets are words with spaces.
bool is_chinese(char32_t c) {
  return is_within(c, 0x4E00, 0x9FFF) || is_within(c, 0x3400, 0x4DBF) ||
         is_within(c, 0x20000, 0x2A6DF) || is_within(c, 0x2A700, 0x2B73F) ||
         is_within(c, 0x2B740, 0x2B81F) || is_within(c, 0x2B920, 0x2CEAF) ||
         is_within(c, 0xF900, 0xFAFF) || is_within(c, 0x2F800, 0x2FA1F);
}

/// Unicode's punctuation, and all of ASCII that is neither letter, digit nor space ($ + < = > ^ ` |
/// ~ are symbols to Unicode).
bool is_punctuation(char32_t c) {
  if (c < 0x80) return is_within(c, 0x21, 0x7E) && !u_isalnum(icu(c));
  return (U_MASK(category(c)) & U_GC_P_MASK) != 0;
}

/// Lower case of one code point. The list has what Unicode 16.0 and 17.0 added; ICU 72 has 15.0.
char32_t lower(char32_t c) {
  struct Added {
    char32_t first, last;
    int32_t distance;
  };
  static constexpr Added kAdded[] = {{0x1C89, 0x1C89, 1},      {0xA7CB, 0xA7CB, 0x264 - 0xA7CB},
                                     {0xA7CC, 0xA7CC, 1},      {0xA7CE, 0xA7CE, 1},
                                     {0xA7D2, 0xA7D2, 1},      {0xA7D4, 0xA7D4, 1},
                                     {0xA7DA, 0xA7DA, 1},      {0xA7DC, 0xA7DC, 0x19B - 0xA7DC},
                                     {0x10D50, 0x10D65, 0x20}, {0x16EA0, 0x16EB8, 0x1B}};
  for (const Added& added : kAdded) {
    if (is_within(c, added.first, added.last))
      return static_cast<char32_t>(static_cast<int32_t>(c) + added.distance);
  }
  return static_cast<char32_t>(u_tolower(icu(c)));
}

uint8_t combining_class(char32_t c) {
  return was_there(c, kMarksOf) ? u_getCombiningClass(icu(c)) : uint8_t{0};
}

const icu::Normalizer2& decompositions() {
  static const icu::Normalizer2& nfd = []() -> const icu::Normalizer2& {
    UErrorCode error = U_ZERO_ERROR;
    const icu::Normalizer2* instance = icu::Normalizer2::getNFDInstance(error);
    if (U_FAILURE(error)) throw MachineError(std::string("ICU has no NFD: ") + u_errorName(error));
    return *instance;
  }();
  return nfd;
}

}  // namespace

const BertCharacters& BertCharacters::of(bool cased) {
  static const BertCharacters kept(true);
  static const BertCharacters lowered(false);
  return cased ? kept : lowered;
}

BertCharacters::BertCharacters(bool cased) : cased_(cased) {
  std::vector<BertExpansion> known;
  known.reserve(kKnown);
  for (char32_t c = 0; c < kKnown; ++c) known.push_back(expand_any(c));
  known_ = std::move(known);
}

BertExpansion BertCharacters::expand_any(char32_t c) const {
  BertExpansion expansion;
  if (is_dropped(c)) return expansion;
  if (u_isUWhiteSpace(icu(c))) {
    expansion.is_space = true;
    return expansion;
  }
  icu::UnicodeString apart;
  if (cased_ || !was_there(c, kMarksOf) || !decompositions().getDecomposition(icu(c), apart)) {
    add_mark(c, expansion);
  } else {
    for (int32_t at = 0; at < apart.length(); at = apart.moveIndex32(at, 1))
      add_mark(static_cast<char32_t>(apart.char32At(at)), expansion);
  }
  if (is_chinese(c)) expansion.marks[0].role = Role::alone;
  return expansion;
}

/// Accents are gone from here on, but one of class 0 still parts those around it.
void BertCharacters::add_mark(char32_t c, BertExpansion& expansion) const {
  BertMark mark{c, 0, is_punctuation(c) ? Role::alone : Role::part};
  if (!cased_) {
    mark.combining_class = combining_class(c);
    if (category(c) == U_NON_SPACING_MARK) {
      if (mark.combining_class != 0) return;
      mark.role = Role::barrier;
    }
    mark.point = lower(c);
  }
  RETHINK_ASSERT(expansion.count < BertExpansion::kMost, std::to_string(c));
  expansion.marks[expansion.count++] = mark;
}

}  // namespace rethink
