// Permutations that choose from which token a triplet head takes its second key. Equal runs of
// heads have one permutation each.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/config/options.h"
#include "models/permutations/permutation.h"

namespace rethink {

/// A permutation of the tokens within each sequence of a batch. Padding and other sequences do not
/// influence the result.
class SequencePermutation {
 public:
  /// With `inverse`, the permutation gives the position to which a token goes, not the position
  /// from which it comes.
  SequencePermutation(std::string name, PermutationRule rule, bool inverse)
      : name_(std::move(name)), rule_(rule), inverse_(inverse) {}

  /// Returns `input` with permuted tokens. The k kept tokens count as 0 ... k - 1 in their order,
  /// at any positions. Padding stays at its position. Does not wait for the device; memory grows
  /// with B T.
  ///
  /// input   float [B,T,C]
  /// keep    bool [B,T]     false = padding; undefined = no padding
  /// returns float [B,T,C]
  at::Tensor permuted(const at::Tensor& input, const at::Tensor& keep) const;

 private:
  /// Returns, i64 [B,T], the source position of each of the first counts[b] tokens of sequence b,
  /// and any position for the other tokens.
  ///
  /// counts  i64 [B,1]
  at::Tensor from(const at::Tensor& counts, int64_t tokens) const;
  const at::Tensor& keys_for(int64_t tokens, at::Device device) const;

  const std::string name_;
  const PermutationRule rule_;
  const bool inverse_;
  mutable at::Tensor keys_;  // i64 [n], for "random"; made again for longer batches
};

struct TripletPermutationOptions {
  std::vector<std::string> permutations = {"random"};
  std::string direction = "forward";
  bool permute_back = true;
  std::string padding = "hidden";
  int64_t permutation_seed = 0;

  void fields(Fields& field);
};

/// The permutations of a layer's triplet heads. With p permutations, runs of floor(heads / p) heads
/// have one permutation each, and the last run has the remaining heads too (the released code).
class TripletPermutations {
 public:
  /// `name` is the variant's name, for messages; `channels` counts the channels of all triplet
  /// heads, three each. `inverse` as in SequencePermutation. Throws ConfigError if there are more
  /// permutations than heads.
  TripletPermutations(const std::string& name, const TripletPermutationOptions& options,
                      int64_t layer, int64_t channels, bool inverse);

  /// Returns `channels` with each run of heads permuted among the kept tokens.
  ///
  /// channels  float [B,T,C]
  /// returns   float [B,T,C]
  at::Tensor permuted(const at::Tensor& channels, const at::Tensor& keep) const;

 private:
  std::vector<SequencePermutation> permutations_;
};

}  // namespace rethink
