// Common parts of synthetic data: pronounceable made-up words, so that vocabularies of pieces can
// be trained on them as on a language; lengths of sentences; splits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "datasets/philox_stream.h"

namespace rethink {

/// Returns the word of a number: at least two syllables of a consonant and a vowel, different for
/// every number.
std::string synthetic_word(uint64_t number);

/// Returns a length between half of the longest and the longest.
int64_t synthetic_length(int64_t longest, PhiloxStream& random);

/// Numbers [begin, end) of a split's examples. Numbers are unique across splits, so no example
/// occurs twice.
struct SyntheticSplit {
  const char* name;
  uint64_t begin, end;
};

/// Returns splits. The first of `names` has `train` examples, the others a tenth each.
std::vector<SyntheticSplit> synthetic_splits(int64_t train,
                                             const std::vector<const char*>& names = {
                                                 "train", "dev", "test"});

}  // namespace rethink
