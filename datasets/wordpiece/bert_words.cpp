#include "datasets/wordpiece/bert_words.h"

#include <unicode/utf8.h>

#include <algorithm>

namespace rethink {
namespace {

enum class Ascii : uint8_t { part, mark, space, dropped, none };

/// How BERT reads a byte of ASCII, and how it stands in a word.
struct AsciiTable {
  std::array<Ascii, 256> kind{};
  std::array<char, 256> kept{}, lowered{};  // 0: not a part of words

  constexpr AsciiTable() {
    for (size_t byte = 0; byte < 256; ++byte) {
      const char c = static_cast<char>(byte);
      const bool is_upper = c >= 'A' && c <= 'Z', is_lower = c >= 'a' && c <= 'z';
      if (is_upper || is_lower || (c >= '0' && c <= '9')) {
        kind[byte] = Ascii::part;
        kept[byte] = c;
        lowered[byte] = is_upper ? static_cast<char>(c - 'A' + 'a') : c;
      } else if (byte >= 0x80) {
        kind[byte] = Ascii::none;
      } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        kind[byte] = Ascii::space;
      } else {
        kind[byte] = byte < ' ' || byte == 0x7F ? Ascii::dropped : Ascii::mark;
      }
    }
  }
};

constexpr AsciiTable kAscii;

Ascii kind_of(char c) {
  return kAscii.kind[static_cast<uint8_t>(c)];
}

/// The code point at `at`, which moves behind it; U+FFFD for bytes that are none.
char32_t next_code_point(std::string_view text, size_t& at) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  const size_t size = text.size();
  UChar32 c = 0;
  U8_NEXT_OR_FFFD(bytes, at, size, c);
  return static_cast<char32_t>(c);
}

}  // namespace

BertWords::BertWords(std::string_view text, bool cased)
    : text_(text),
      characters_(BertCharacters::of(cased)),
      plain_(cased ? kAscii.kept.data() : kAscii.lowered.data()) {}

bool BertWords::next() {
  special_ = -1;
  while (at_ < text_.size()) {
    switch (kind_of(text_[at_])) {
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

/// A mark of ASCII, or the special token that begins with it.
void BertWords::take_mark() {
  size_t bytes = 1;
  if (text_[at_] == '[') {
    for (size_t index = 0; index < kBertSpecials.size(); ++index) {
      if (!text_.substr(at_).starts_with(kBertSpecials[index])) continue;
      special_ = static_cast<int>(index);
      bytes = kBertSpecials[index].size();
    }
  }
  std::copy_n(text_.data() + at_, bytes, word_);
  is_plain_ = true;
  letters_ = bytes_ = bytes;
  whole_ = {at_, at_ + bytes};
  at_ += bytes;
}

/// False, and nothing is taken, where the word has more than letters and digits of ASCII.
bool BertWords::take_ascii_word() {
  size_t end = at_;
  const size_t stop = std::min(text_.size(), at_ + kMostLetters + 1);
  for (char c; end < stop && (c = plain_[static_cast<uint8_t>(text_[end])]) != 0; ++end)
    word_[end - at_] = c;
  if (end < text_.size() && kind_of(text_[end]) != Ascii::space &&
      kind_of(text_[end]) != Ascii::mark)
    return false;
  is_plain_ = true;
  letters_ = bytes_ = end - at_;
  whole_ = {at_, end};
  at_ = end;
  return true;
}

/// False where only characters to drop or spaces stand.
bool BertWords::take_any_word() {
  is_plain_ = false;
  letters_ = run_ = 0;
  while (at_ < text_.size()) {
    if (kind_of(text_[at_]) == Ascii::space || kind_of(text_[at_]) == Ascii::mark) break;
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

/// Keeps Unicode's canonical order: within a run of marks whose class is not 0 the classes ascend,
/// equal ones stay as they came. Sources keep their places, so that ranges ascend.
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
    letters_at_[place].mark = mark;
    letters_at_[letters_].source = source;
  }
  ++letters_;
}

void BertWords::write_word() {
  bytes_ = 0;
  if (is_too_long()) return;
  for (size_t index = 0; index < letters_; ++index) {
    const size_t begin = bytes_;
    const auto point = static_cast<UChar32>(letters_at_[index].mark.point);
    U8_APPEND_UNSAFE(word_, bytes_, point);
    std::fill(letter_of_byte_.begin() + begin, letter_of_byte_.begin() + bytes_,
              static_cast<uint8_t>(index));
  }
}

}  // namespace rethink
