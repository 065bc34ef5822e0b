// Sentences of tagged words as a BERT encoder reads them, [CLS] words [SEP]: of each word that is
// read, its first piece says its tag (Devlin et al., 2019, section 5.3).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "datasets/batching.h"
#include "datasets/labelled/tagged.h"
#include "datasets/wordpiece/wordpiece.h"

namespace rethink {

/// Where a word's first piece stands.
struct WordPlace {
  uint32_t word;   // its number in the sentence
  uint32_t place;  // in the sequence, from [CLS], which is 0
};

class TaggedTexts {
 public:
  /// A sentence of more than `max_length` tokens, special ones counted, loses its end: words whose
  /// first piece is lost are not read, nor is one of which no piece is left (control characters).
  TaggedTexts(const TaggedSplit& split, const WordPiece& pieces, int64_t max_length);

  size_t size() const { return offsets_.size() - 1; }
  TokenSequences sequences() const { return {offsets_, tokens_}; }
  /// How many tokens of each sequence are of type 0: all of them.
  std::span<const int32_t> first_parts() const { return first_parts_; }
  int32_t padding() const { return padding_; }
  /// The words of sentence `index` that are read, in their order.
  std::span<const WordPlace> words(size_t index) const {
    return std::span(words_).subspan(word_offsets_[index],
                                     word_offsets_[index + 1] - word_offsets_[index]);
  }

 private:
  void add(const TaggedSentence& sentence, const WordPiece& pieces, size_t room);

  const int32_t padding_;
  std::vector<uint64_t> offsets_ = {0};
  std::vector<int32_t> tokens_, first_parts_;
  std::vector<size_t> word_offsets_ = {0};
  std::vector<WordPlace> words_;
};

}  // namespace rethink
