// Masked language modelling on pairs of text, as BERT's (Devlin et al. 2019, section 3.1; its
// released create_pretraining_data.py). Masks are a pure function of (seed, duplicate, number of
// the pair), drawn by Philox: a resume needs only a cursor, and one seed gives every arm the same
// masks.
#pragma once

#include <cstdint>
#include <span>

#include "datasets/batching.h"
#include "datasets/pretraining/pretraining_pairs.h"

namespace rethink {

/// Ids that the masking needs to know.
struct MaskVocabulary {
  int32_t size, padding, cls, sep, mask;
};

struct MaskOptions {
  double share = 0.15;           // of a sequence's tokens that are predicted
  int64_t max_predictions = 20;  // of one sequence
};

/// The pairs of one pass, and what masks them. `seed` is the trial's in training; in evaluation it
/// is a constant, so that every arm predicts the same tokens.
struct MaskedPairs {
  const DocumentTokens& documents;
  std::span<const TextPair> pairs;
  MaskVocabulary vocabulary;
  MaskOptions options;
  uint64_t seed;
  int64_t duplicate;
};

/// A batch of the pairs at `indices`:
///   input_ids         i64  [B,T]  [CLS] first [SEP] second [SEP], masked, padded
///   token_type_ids    i64  [B,T]  1 from the first token of the second part to its [SEP]
///   keep              bool [B,T]  false = padding, which stands at the end
///   masked_positions  i64  [M]    row * T + position of each predicted token, ascending
///   masked_labels     i64  [M]    the token that stood there
///   next_sentence     i64  [B]    0 = the second part follows the first, 1 = it is random
/// T is the longest of these sequences. Of a sequence of n tokens, special ones counted,
/// min(max_predictions, max(1, share * n rounded half to even)) are predicted, drawn without
/// repetition among those that are not special: 80 % of them become [MASK], 10 % a token uniform
/// over the vocabulary, 10 % stay.
Columns pretraining_columns(const MaskedPairs& source, std::span<const uint32_t> indices,
                            const ColumnAllocator& allocate);

}  // namespace rethink
