// Makes a WordPiece vocabulary for a small corpus.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "datasets/vocabulary.h"
#include "datasets/wordpiece/wordpiece.h"

namespace rethink {

struct WordPieceTraining {
  size_t size = 8192;  // pieces of the vocabulary, special tokens among them
  bool cased = false;
  size_t max_characters = 1000;  // the most frequent ones; a word with another character is [UNK]
};

/// Counts the words of texts (bert_words.h) and joins characters to pieces. Special tokens come
/// first, then sorted characters that begin a word, then sorted characters that continue one
/// ("##e"), then joined pieces in the order of joining. Each step joins the most frequent pair of
/// neighbours, where each occurrence of a word counts. This is the score of byte pair encoding and
/// of HF's WordPieceTrainer. (Schuster and Nakajima 2012 join the pair that raises the likelihood
/// most. Neither BERT's paper nor its code says how its vocabularies were made.) Ties go to the
/// pair whose joined text, then whose left part, comes first in bytes, so the order of the texts
/// does not matter. Neighbours that occur only once are not joined. So a small corpus may have
/// fewer pieces than requested.
class WordPieceTrainer {
 public:
  explicit WordPieceTrainer(const WordPieceTraining& options) : options_(options) {}

  /// Counts the words of `text`, one or more lines. Special tokens, and words that are too long for
  /// pieces, do not count.
  void add(std::string_view text);
  /// Throws ConfigError if no word was added, or if `size` is too small for special tokens and
  /// characters. Cost: half a second for 8,192 pieces of 10 MB of English, counting included.
  WordPiece train() const;

 private:
  WordPieceTraining options_;
  std::unordered_map<std::string, int64_t, TextHash, std::equal_to<>> counts_;
};

}  // namespace rethink
