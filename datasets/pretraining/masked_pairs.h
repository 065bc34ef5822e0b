// The examples of BERT's pretraining: pairs of text from documents, and their masked tokens (Devlin
// et al. 2019, section 3.1 and appendix A; where the paper says nothing, its released
// create_pretraining_data.py). Both are pure functions of their arguments, drawn by Philox. So a
// resume needs only a cursor, and equal seeds give every arm the same pairs and masks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "datasets/batching.h"

namespace rethink {

/// Sentences of documents as consecutive ids of pieces.
class DocumentTokens {
 public:
  /// A sentence without tokens is left out, and so is a document without sentences.
  void add_sentence(std::span<const int32_t> ids);
  void end_document();

  size_t documents() const { return document_begins_.size() - 1; }
  size_t sentences() const { return sentence_begins_.size() - 1; }
  std::span<const int32_t> ids() const { return ids_; }
  /// Sentences [first, second) of a document.
  std::pair<size_t, size_t> sentences_of(size_t document) const {
    return {document_begins_[document], document_begins_[document + 1]};
  }
  /// Returns the start of sentence `index` in ids(); for index sentences() their end.
  size_t begin_of(size_t index) const { return sentence_begins_[index]; }

 private:
  std::vector<int32_t> ids_;
  std::vector<size_t> sentence_begins_ = {0}, document_begins_ = {0};
};

struct PairOptions {
  int64_t max_length = 128;        // tokens of a sequence, with [CLS] and two [SEP]; at least 5
  double short_probability = 0.1;  // that a document's pairs have a random smaller length
};

/// Two parts of DocumentTokens::ids().
struct TextPair {
  size_t first_begin, second_begin;
  uint32_t first_length, second_length;
  bool is_next;  // the second follows the first in its document
};

/// Returns the pairs of one pass over the documents, in order. Consecutive sentences are gathered
/// until they have max_length - 3 tokens, or, with short_probability per document, a number drawn
/// from 2 ... max_length - 3. The first part is a random number of the gathered sentences, at least
/// one. With probability 1/2 the second part is the remaining sentences. Otherwise, and always with
/// only one sentence, it is sentences from a random position of another document (of the same
/// document if ten draws find no other), and the remaining sentences are gathered again. A pair
/// with more than max_length - 3 tokens loses tokens of its longer part, each from the front or the
/// end with probability 1/2. `duplicate` numbers passes that differ (BERT's duplication factor).
std::vector<TextPair> text_pairs(const DocumentTokens& documents, const PairOptions& options,
                                 uint64_t seed, int64_t duplicate);

/// Returns the number of tokens of each pair's sequence, for epoch_batches.
std::vector<uint32_t> pair_lengths(std::span<const TextPair> pairs);

/// Ids that masking needs.
struct MaskVocabulary {
  int32_t size, padding, cls, sep, mask;
};

struct MaskOptions {
  double share = 0.15;           // share of a sequence's tokens that are predicted
  int64_t max_predictions = 20;  // of one sequence
};

/// The pairs of one pass and their masking, a function of (seed, duplicate, number of the pair). In
/// training `seed` is the trial's; in evaluation it is a constant, so that every arm predicts the
/// same tokens.
struct MaskedPairs {
  const DocumentTokens& documents;
  std::span<const TextPair> pairs;
  MaskVocabulary vocabulary;
  MaskOptions options;
  uint64_t seed;
  int64_t duplicate;
};

/// Returns a batch of the pairs at `indices`:
///   input_ids         i64  [B,T]  [CLS] first [SEP] second [SEP], masked, padded
///   token_type_ids    i64  [B,T]  1 from the first token of the second part to its [SEP]
///   keep              bool [B,T]  false = padding, at the end
///   masked_positions  i64  [M]    row * T + position of each predicted token, ascending
///   masked_labels     i64  [M]    the original token
///   next_sentence     i64  [B]    0 = the second part follows the first, 1 = it is random
/// T is the length of the longest of these sequences. A sequence of n tokens, special tokens
/// included, has min(max_predictions, max(1, share * n rounded half to even)) predicted tokens,
/// drawn without repetition from the tokens that are not special. Of these, 80 % become [MASK], 10
/// % a token drawn uniformly from the vocabulary, and 10 % stay.
Columns pretraining_columns(const MaskedPairs& source, std::span<const uint32_t> indices,
                            const ColumnAllocator& allocate);

}  // namespace rethink
