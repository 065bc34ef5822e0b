// The words of a text as BERT sees them, before they are split into pieces, and the treatment of
// each code point by BERT's tokenizer.
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
    alone,    // a word of one character: punctuation, Chinese
    barrier,  // not a mark of the text: marks do not move across it
  };
  char32_t point = 0;
  uint8_t combining_class = 0;  // Unicode's; not 0: moves before neighbours of a higher class
  Role role = Role::part;
};

/// Result for a code point: nothing (control characters, stripped accents), a space, or marks.
struct BertExpansion {
  static constexpr int kMost = 4;  // code points of Unicode's longest canonical decomposition
  bool is_space = false;
  uint8_t count = 0;
  BertMark marks[kMost];
};

/// The basic tokenizer's rules for one code point, as in HF tokenizers 0.23 (BertNormalizer and
/// BertPreTokenizer, the "fast" tokenizer). Control characters are dropped, white space becomes a
/// space, and Chinese characters and punctuation are words of their own. Unless `cased`, the text
/// is decomposed (NFD), nonspacing marks are dropped, and each code point is lower-cased.
///
/// Unicode comes from ICU. HF's libraries use other versions of Unicode, which this class imitates,
/// since a text must give the same pieces in both: general categories of Unicode 8.0,
/// decompositions and combining classes of 9.0, lower case of 17.0.
///
/// This class follows the fast tokenizer. The "slow" tokenizer of transformers and Google's
/// original differ: they use the final form of a Greek sigma at the end of a word (here: the common
/// form). The slow tokenizer also drops unassigned code points (here they stay) and uses the
/// categories of Python's Unicode. The fast tokenizer begins the block of Chinese characters at
/// U+2B920, the others at U+2B820.
///
/// Thread: safe.
class BertCharacters {
 public:
  static const BertCharacters& of(bool cased);

  /// Requires: `c` is not a surrogate.
  BertExpansion expand(char32_t c) const { return c < known_.size() ? known_[c] : expand_any(c); }

 private:
  explicit BertCharacters(bool cased);
  BertExpansion expand_any(char32_t c) const;
  void add_mark(char32_t c, BertExpansion& expansion) const;

  bool cased_;
  std::vector<BertExpansion> known_;  // results for the code points of the alphabets
};

/// Bytes [begin, end) of a text.
struct ByteRange {
  size_t begin = 0, end = 0;
  bool operator==(const ByteRange&) const = default;
};

/// Iterates over the words of a text: `while (words.next()) use(words.word());`. A word is a run of
/// letters and similar characters, a punctuation mark, a Chinese character, or a special token as
/// spelled in kBertSpecials. Its text is clean, and in lower case unless `cased`. Bytes that are
/// not UTF-8 count as U+FFFD, which BERT drops. HF accepts only valid text, as Python's
/// errors="replace" makes it.
///
/// Thread: an object per thread. Cost: allocates nothing.
class BertWords {
 public:
  static constexpr size_t kMostLetters = 100;  // [code points]; a longer word becomes [UNK]
  static constexpr size_t kPadding = 16;

  /// `text` must outlive this object. `specials` is the number of kBertSpecials that the vocabulary
  /// has; the others are ordinary text.
  BertWords(std::string_view text, bool cased, size_t specials = kBertSpecials.size());

  /// Moves to the next word; the first call moves to the first word. Returns false at the end of the text.
  bool next();

  /// Returns the index in kBertSpecials of the word; -1 for other words.
  int special() const { return special_; }
  /// Returns whether the word has more than kMostLetters. Its text is then lost, and only range() is valid.
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
  size_t run_ = 0;  // first letter after which marks may move
  ByteRange whole_;
  bool is_plain_ = true;  // byte for byte the original, except for case
  std::array<char, kMostLetters * 4 + kPadding> word_;
  std::array<Letter, kMostLetters> letters_at_;
  std::array<uint8_t, kMostLetters * 4> letter_of_byte_;
};

}  // namespace rethink
