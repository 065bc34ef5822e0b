// What BERT is pretrained on: pairs of text from documents (Devlin et al. 2019, section 3.1 and
// appendix A; its released create_pretraining_data.py decides where the paper says nothing). They
// are a pure function of their arguments, drawn by Philox: a resume needs only a cursor.
// datasets/pretraining/pretraining_masks.h masks their tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace rethink {

/// Sentences of documents as ids of pieces, one behind the other.
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
  /// Where sentence `index` begins in ids(); that of sentences() is their end.
  size_t begin_of(size_t index) const { return sentence_begins_[index]; }

 private:
  std::vector<int32_t> ids_;
  std::vector<size_t> sentence_begins_ = {0}, document_begins_ = {0};
};

struct PairOptions {
  int64_t max_length = 128;        // of a sequence, [CLS] and two [SEP] counted; at least 5
  double short_probability = 0.1;  // of a document whose pairs aim at a random smaller length
};

/// Two parts of DocumentTokens::ids().
struct TextPair {
  size_t first_begin, second_begin;
  uint32_t first_length, second_length;
  bool is_next;  // the second follows the first in its document
};

/// The pairs of one pass over the documents, in their order. Consecutive sentences are gathered
/// until they have max_length - 3 tokens, or, with short_probability for a whole document, a number
/// uniform in 2 ... max_length - 3. The first part is a random number of the gathered sentences, at
/// least one; the second with probability 1/2 the others, else (always when there is one sentence)
/// sentences from a random place of another document - of the same one, when ten draws bring no
/// other - and the others are gathered again. What is longer than max_length - 3 loses tokens of
/// the longer part, each from its front or its end with probability 1/2. `duplicate` numbers the
/// passes that differ (BERT's duplication factor).
std::vector<TextPair> text_pairs(const DocumentTokens& documents, const PairOptions& options,
                                 uint64_t seed, int64_t duplicate);

/// Tokens of each pair's sequence, for epoch_batches.
std::vector<uint32_t> pair_lengths(std::span<const TextPair> pairs);

}  // namespace rethink
