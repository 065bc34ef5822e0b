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
  size_t max_characters = 1000;  // the most frequent ones; words with others are left to [UNK]
};

/// Counts the words of texts (bert_words.h) and joins characters to pieces: special tokens first,
/// then the characters that begin a word and those that continue one ("##e"), each sorted, then
/// joined pieces in the order in which they were found. Two neighbours are joined that stand side
/// by side most often, words counted as often as they occur: the score of byte pair encoding, which
/// is also HF's WordPieceTrainer's. (Schuster and Nakajima 2012 join what raises the likelihood
/// most; neither BERT's paper nor its code says how its vocabularies were made.) Ties go to the
/// pair whose joined text, then whose left part comes first in bytes: the same texts give the same
/// vocabulary, in whatever order they come. Neighbours seen once only are not joined, so that a
/// small corpus may have a smaller vocabulary than was asked for.
class WordPieceTrainer {
 public:
  explicit WordPieceTrainer(const WordPieceTraining& options) : options_(options) {}

  /// Counts the words of `text`, one or more lines. Special tokens, and words that are too long for
  /// pieces, do not count.
  void add(std::string_view text);
  /// Throws ConfigError when no word was added, or `size` has no room for special tokens and
  /// characters. Cost: half a second for 8,192 pieces of 10 MB of English, counting included.
  WordPiece train() const;

 private:
  WordPieceTraining options_;
  std::unordered_map<std::string, int64_t, TextHash, std::equal_to<>> counts_;
};

}  // namespace rethink
