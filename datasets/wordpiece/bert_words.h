// The words of a text as BERT sees them, before they are parted into pieces, and what BERT's
// tokenizer does to each code point.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/format/tokenizer_folder.h"

namespace rethink {

/// A code point of a cleaned text.
struct BertMark {
  enum class Role : uint8_t {
    part,     // of a word
    alone,    // a word by itself: punctuation, Chinese
    barrier,  // no mark of the text: those before it and behind it don't change places
  };
  char32_t point = 0;
  uint8_t combining_class = 0;  // Unicode's; not 0: moves before neighbours of a higher class
  Role role = Role::part;
};

/// Result for a code point: nothing (control characters, stripped accents), a space, or marks.
struct BertExpansion {
  static constexpr int kMost = 4;  // of Unicode's canonical decompositions, taken apart to the end
  bool is_space = false;
  uint8_t count = 0;
  BertMark marks[kMost];
};

/// The basic tokenizer's rules for one code point, as HF tokenizers 0.23 (BertNormalizer and
/// BertPreTokenizer, the "fast" tokenizer) has them: characters of control are dropped, white space
/// is one space, Chinese characters and punctuation stand alone; unless `cased`, the text is taken
/// apart (NFD), nonspacing marks are dropped and each code point gets its lower case.
///
/// Unicode comes from ICU. HF's libraries know older and newer versions of it, which is told apart
/// here, since a text must give the same pieces in both: general categories are those of Unicode
/// 8.0, decompositions and combining classes those of 9.0, lower case that of 17.0.
///
/// The "slow" tokenizer of transformers and Google's original differ from the fast one, which is
/// followed here. They give a Greek sigma at the end of a word its own form (here it is the common
/// one); transformers' slow one drops what is not assigned (here it stays) and knows the categories
/// of Python's Unicode; the block of Chinese characters that begins at U+2B820 begins at U+2B920 in
/// the fast one.
///
/// Thread: safe.
class BertCharacters {
 public:
  static const BertCharacters& of(bool cased);

  /// Requires: a code point that is no surrogate.
  BertExpansion expand(char32_t c) const { return c < known_.size() ? known_[c] : expand_any(c); }

 private:
  explicit BertCharacters(bool cased);
  BertExpansion expand_any(char32_t c) const;
  void add_mark(char32_t c, BertExpansion& expansion) const;

  bool cased_;
  std::vector<BertExpansion> known_;  // the alphabets up to here: looked up
};

/// Bytes [begin, end) of a text.
struct ByteRange {
  size_t begin = 0, end = 0;
  bool operator==(const ByteRange&) const = default;
};

/// Goes over the words of a text: `while (words.next()) use(words.word());`. A word is a run of
/// letters and the like, a punctuation mark, a Chinese character or a special token as
/// kBertSpecials spells it; its text is clean, and in lower case unless `cased`. Bytes that are not
/// UTF-8 count as U+FFFD, which BERT drops: HF takes only valid text, and this is what Python's
/// errors="replace" would hand to it.
///
/// Thread: an object per thread. Cost: allocates nothing.
class BertWords {
 public:
  static constexpr size_t kMostLetters = 100;  // code points of a word that may have pieces
  static constexpr size_t kPadding = 16;

  /// `text` must outlive this. `specials`: how many of kBertSpecials the vocabulary has; the others
  /// are ordinary text.
  BertWords(std::string_view text, bool cased, size_t specials = kBertSpecials.size());

  /// Goes to the next word, the first at first. False at the end of the text.
  bool next();

  /// Returns the index in kBertSpecials of the word; -1 for other words.
  int special() const { return special_; }
  /// Its text is lost: it has more than kMostLetters. Only range() is of use.
  bool is_too_long() const { return letters_ > kMostLetters; }
  /// Returns UTF-8, never empty unless the word is too long. kPadding zero bytes follow it.
  std::string_view word() const { return {word_.data(), bytes_}; }
  /// Returns the word's position in the original text, from its first to its last character that
  /// contributes to the word.
  ByteRange range() const { return whole_; }
  /// Returns the position of the word's bytes [begin, end) in the original text. Requires: begin <
  /// end, both between code points.
  ByteRange range(size_t begin, size_t end) const;

 private:
  struct Letter {
    BertMark mark;
    ByteRange source;
  };
  void take_mark();
  bool take_ascii_word();
  void take_plain(size_t end);
  bool take_any_word();
  void add_letter(const BertMark& mark, ByteRange source);
  void write_word();

  std::string_view text_;
  const BertCharacters& characters_;
  bool cased_;
  size_t specials_;
  size_t at_ = 0;

  int special_ = -1;
  size_t letters_ = 0, bytes_ = 0;
  size_t run_ = 0;  // the letter from which on marks may change places
  ByteRange whole_;
  bool is_plain_ = true;  // byte for byte the original, but for the case
  std::array<char, kMostLetters * 4 + kPadding> word_;
  std::array<Letter, kMostLetters> letters_at_;
  std::array<uint8_t, kMostLetters * 4> letter_of_byte_;
};

}  // namespace rethink
