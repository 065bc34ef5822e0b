// Texts, and sentences of tagged words, as a BERT encoder reads them: [CLS] first [SEP],
// [CLS] first [SEP] second [SEP] (Devlin et al., 2019, section 3 and figure 2), [CLS] words [SEP]
// (section 5.3).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "datasets/batching.h"
#include "datasets/labelled/tagged.h"
#include "datasets/wordpiece/wordpiece.h"

namespace rethink {

/// Encoded texts, or pairs of texts, in order.
class EncodedTexts {
 public:
  /// `max_length` is the length of a sequence with its special tokens. Throws ConfigError if less
  /// than one token of each of two texts would remain.
  EncodedTexts(const WordPiece& pieces, int64_t max_length);

  /// Appends a sequence and returns its number of tokens. A longer sequence loses tokens at the end
  /// of its longer text, or of the second text if both are equally long, until it fits (BERT's
  /// released run_classifier.py).
  size_t add(std::string_view first, std::optional<std::string_view> second = std::nullopt);

  size_t size() const { return offsets_.size() - 1; }
  TokenSequences sequences() const { return {offsets_, tokens_}; }
  /// Returns the number of tokens of type 0 in each sequence: [CLS], the first text and its [SEP].
  std::span<const int32_t> first_parts() const { return first_parts_; }
  int32_t padding() const { return pieces_.padding(); }

 private:
  const WordPiece pieces_;
  const size_t max_length_;
  std::vector<uint64_t> offsets_ = {0};
  std::vector<int32_t> tokens_;
  std::vector<int32_t> first_parts_;
  std::vector<int32_t> first_, second_;  // of the text that is being added
};

/// Returns input_ids i64 [B,T], token_type_ids i64 [B,T] and keep bool [B,T] (false = padding, at
/// the end). T is the longest of the sequences at `indices`, or `padded_to` if that is larger.
/// `first_parts` has an entry for every sequence.
Columns encoder_columns(const TokenSequences& sequences, std::span<const int32_t> first_parts,
                        int32_t padding, std::span<const uint32_t> indices,
                        const ColumnAllocator& allocate, size_t padded_to = 0);

/// Position of a word's first piece.
struct WordPlace {
  uint32_t word;   // number of the word in the sentence
  uint32_t place;  // position in the sequence, counted from [CLS], which is 0
};

/// Sentences of tagged words. The first piece of each word that is read predicts its tag.
class TaggedTexts {
 public:
  /// Reads the sentences of a split. A sentence of more than `max_length` tokens, special tokens
  /// included, loses its end. Words without their first piece are not read, and neither are words
  /// without any piece (control characters).
  TaggedTexts(const TaggedSplit& split, const WordPiece& pieces, int64_t max_length);

  size_t size() const { return offsets_.size() - 1; }
  TokenSequences sequences() const { return {offsets_, tokens_}; }
  /// Returns the number of tokens of type 0 in each sequence: all of them.
  std::span<const int32_t> first_parts() const { return first_parts_; }
  int32_t padding() const { return padding_; }
  /// Returns the words of sentence `index` that are read, in order.
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
