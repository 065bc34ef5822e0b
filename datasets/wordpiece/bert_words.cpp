#include "datasets/wordpiece/bert_words.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/error.h"

namespace rethink {
namespace {

using Role = BertMark::Role;

constexpr char32_t kKnown = 0x3000;  // alphabets and punctuation; above are mostly ideographs
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
  switch (c) {  // categories that a later version changed, as far as they matter here
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

/// The blocks that BERT calls Chinese; Japanese and Korean alphabets form words with spaces.
bool is_chinese(char32_t c) {
  return is_within(c, 0x4E00, 0x9FFF) || is_within(c, 0x3400, 0x4DBF) ||
         is_within(c, 0x20000, 0x2A6DF) || is_within(c, 0x2A700, 0x2B73F) ||
         is_within(c, 0x2B740, 0x2B81F) || is_within(c, 0x2B920, 0x2CEAF) ||
         is_within(c, 0xF900, 0xFAFF) || is_within(c, 0x2F800, 0x2FA1F);
}

/// Unicode's punctuation, and all ASCII that is not a letter, digit or space (Unicode counts $ + <
/// = > ^ ` | ~ as symbols).
bool is_punctuation(char32_t c) {
  if (c < 0x80) return is_within(c, 0x21, 0x7E) && !u_isalnum(icu(c));
  return (U_MASK(category(c)) & U_GC_P_MASK) != 0;
}

/// The lower case of one code point. The list has the additions of Unicode 16.0 and 17.0; ICU 72
/// has 15.0.
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
  static const icu::Normalizer2* const nfd = [] {
    UErrorCode error = U_ZERO_ERROR;
    const icu::Normalizer2* instance = icu::Normalizer2::getNFDInstance(error);
    if (U_FAILURE(error))
      throw MachineError("missing-library", std::string("ICU has no NFD: ") + u_errorName(error));
    return instance;
  }();
  return *nfd;
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

/// Accents are removed here, but a mark of class 0 still separates its neighbours.
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

namespace {

enum class Ascii : uint8_t { part, mark, space, dropped, none };

/// BERT's treatment of each byte of ASCII.
constexpr std::array<Ascii, 256> kKinds = [] {
  std::array<Ascii, 256> kinds{};
  for (size_t byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    const bool is_part = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    const bool is_space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    const bool is_control = byte < ' ' || byte == 0x7F;
    kinds[byte] = is_part        ? Ascii::part
                  : byte >= 0x80 ? Ascii::none
                  : is_space     ? Ascii::space
                  : is_control   ? Ascii::dropped
                                 : Ascii::mark;
  }
  return kinds;
}();

Ascii ascii_kind(char c) {
  return kKinds[static_cast<uint8_t>(c)];
}

constexpr size_t kStep = 8;
constexpr uint64_t kOnes = 0x0101010101010101, kHighBits = kOnes * 0x80;
static_assert(std::endian::native == std::endian::little, "the first of 8 bytes is the lowest");

struct EightBytes {
  uint64_t word;  // the bytes up to the first that is not part of a word, then 0
  size_t parts;   // the number of these bytes
};

/// Sets each byte's highest bit if its lower 7 bits are `least` or more.
uint64_t at_least(uint64_t bytes, uint8_t least) {
  return (bytes & ~kHighBits) + kOnes * (0x80u - least);
}

/// Reads the first 8 bytes of `text` at once: parts of words are ASCII's letters and digits.
EightBytes read_ascii(std::string_view text, bool cased) {
  uint64_t bytes = 0;
  if (text.size() >= kStep) {
    std::memcpy(&bytes, text.data(), kStep);
  } else {
    std::memcpy(&bytes, text.data(), text.size());
  }
  // Letters in lower case; no other byte becomes a letter.
  const uint64_t folded = bytes | kOnes * 0x20;
  const uint64_t letters = at_least(folded, 'a') & ~at_least(folded, 'z' + 1) & ~bytes & kHighBits;
  const uint64_t digits = at_least(bytes, '0') & ~at_least(bytes, '9' + 1) & ~bytes & kHighBits;
  const uint64_t others = ~(letters | digits) & kHighBits;
  if (!cased) bytes |= letters >> 2;  // 0x80 >> 2 is the bit of the lower case
  if (others == 0) return {bytes, kStep};
  const auto parts = static_cast<size_t>(std::countr_zero(others)) / 8;
  return {bytes & ((uint64_t{1} << (8 * parts)) - 1), parts};
}

/// Returns the code point at `at` and moves `at` past it; U+FFFD for invalid bytes.
char32_t next_code_point(std::string_view text, size_t& at) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  const size_t size = text.size();
  UChar32 c = 0;
  U8_NEXT_OR_FFFD(bytes, at, size, c);
  return static_cast<char32_t>(c);
}

}  // namespace

BertWords::BertWords(std::string_view text, bool cased, size_t specials)
    : text_(text), characters_(BertCharacters::of(cased)), cased_(cased), specials_(specials) {}

bool BertWords::next() {
  special_ = -1;
  while (at_ < text_.size()) {
    switch (ascii_kind(text_[at_])) {
      case Ascii::part:
        if (!take_ascii_word()) take_any_word();
        return true;
      case Ascii::mark:
        take_mark();
        return true;
      case Ascii::none:
        if (take_any_word()) return true;
        break;
      case Ascii::space:
      case Ascii::dropped:
        ++at_;
    }
  }
  return false;
}

ByteRange BertWords::range(size_t begin, size_t end) const {
  if (is_plain_) return {whole_.begin + begin, whole_.begin + end};
  return {letters_at_[letter_of_byte_[begin]].source.begin,
          letters_at_[letter_of_byte_[end - 1]].source.end};
}

/// Takes an ASCII punctuation character, or the special token that begins with it.
void BertWords::take_mark() {
  size_t bytes = 1;
  if (text_[at_] == '[') {
    for (size_t index = 0; index < specials_; ++index) {
      if (!text_.substr(at_).starts_with(kBertSpecials[index])) continue;
      special_ = static_cast<int>(index);
      bytes = kBertSpecials[index].size();
    }
  }
  std::copy_n(text_.data() + at_, bytes, word_.data());
  take_plain(at_ + bytes);
}

/// Returns false without taking anything if the word has other characters than ASCII letters and
/// digits, or is longer than words with pieces may be.
bool BertWords::take_ascii_word() {
  size_t bytes = 0;
  for (size_t taken = kStep; taken == kStep; bytes += taken) {
    if (bytes > kMostLetters) return false;
    const EightBytes eight = read_ascii(text_.substr(at_ + bytes), cased_);
    taken = eight.parts;
    std::memcpy(word_.data() + bytes, &eight.word, kStep);
  }
  const size_t end = at_ + bytes;
  if (end < text_.size() && ascii_kind(text_[end]) != Ascii::space &&
      ascii_kind(text_[end]) != Ascii::mark)
    return false;
  take_plain(end);
  return true;
}

/// The copied word goes up to `end`.
void BertWords::take_plain(size_t end) {
  is_plain_ = true;
  letters_ = bytes_ = end - at_;
  whole_ = {at_, end};
  at_ = end;
  std::memset(word_.data() + bytes_, 0, kPadding);
}

/// Returns false if there are only spaces or characters to drop.
bool BertWords::take_any_word() {
  is_plain_ = false;
  letters_ = run_ = 0;
  while (at_ < text_.size()) {
    if (ascii_kind(text_[at_]) == Ascii::space || ascii_kind(text_[at_]) == Ascii::mark) break;
    const size_t begin = at_;
    const BertExpansion expansion = characters_.expand(next_code_point(text_, at_));
    if (expansion.is_space) break;
    const bool is_alone = expansion.count > 0 && expansion.marks[0].role == BertMark::Role::alone;
    if (is_alone && letters_ > 0) {
      at_ = begin;
      break;
    }
    for (size_t index = 0; index < expansion.count; ++index)
      add_letter(expansion.marks[index], {begin, at_});
    if (is_alone) break;
  }
  write_word();
  return letters_ > 0;
}

/// Keeps Unicode's canonical order: within a run of marks with a class other than 0, classes
/// ascend, and equal classes keep their order. Marks that change places share the range of all
/// marks that they passed.
void BertWords::add_letter(const BertMark& mark, ByteRange source) {
  if (mark.role == BertMark::Role::barrier) {
    run_ = letters_;
    return;
  }
  if (mark.combining_class == 0) run_ = letters_ + 1;
  if (letters_ == 0) whole_.begin = source.begin;
  whole_.end = source.end;
  if (letters_ < kMostLetters) {
    size_t place = letters_;
    for (; place > run_ && letters_at_[place - 1].mark.combining_class > mark.combining_class;
         --place)
      letters_at_[place].mark = letters_at_[place - 1].mark;
    letters_at_[letters_].source = source;
    letters_at_[place].mark = mark;
    if (place < letters_) {
      const ByteRange passed{letters_at_[place].source.begin, source.end};
      for (size_t moved = place; moved <= letters_; ++moved) letters_at_[moved].source = passed;
    }
  }
  ++letters_;
}

void BertWords::write_word() {
  bytes_ = 0;
  if (is_too_long()) return;
  char* const word = word_.data();
  for (size_t index = 0; index < letters_; ++index) {
    const size_t begin = bytes_;
    const auto point = static_cast<UChar32>(letters_at_[index].mark.point);
    U8_APPEND_UNSAFE(word, bytes_, point);
    std::fill(letter_of_byte_.begin() + begin, letter_of_byte_.begin() + bytes_,
              static_cast<uint8_t>(index));
  }
  std::memset(word + bytes_, 0, kPadding);
}

}  // namespace rethink
