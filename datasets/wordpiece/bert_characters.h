// What BERT's tokenizer does to each code point before it looks for pieces.
#pragma once

#include <cstdint>
#include <vector>

namespace rethink {

/// One code point of a cleaned text.
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

/// What becomes of a code point: nothing (control characters, stripped accents), a space, or marks.
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

}  // namespace rethink
