// Which token's second key a triplet head takes: the permutations that the variants of triplet
// attention share, in runs of heads.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/config/options.h"
#include "models/permutations/permutation.h"

namespace rethink {

/// A permutation within each sequence of a batch: its own tokens change places among themselves, so
/// that padding and batch mates change nothing.
class SequencePermutation {
 public:
  /// `inverse`: which place a token goes to, instead of the one it comes from.
  SequencePermutation(std::string name, PermutationRule rule, bool inverse)
      : name_(std::move(name)), rule_(rule), inverse_(inverse) {}

  /// `input` with each place's token from where the permutation has it. The k tokens that are kept
  /// count as 0 ... k - 1 in their order, wherever they stand; padding stays where it is. Nothing
  /// waits for the device; memory grows with B T.
  ///
  /// input   float [B,T,C]
  /// keep    bool [B,T]     undefined = all
  /// returns float [B,T,C]
  at::Tensor permuted(const at::Tensor& input, const at::Tensor& keep) const;

 private:
  /// Of the first `counts` [B,1] of so many tokens, where permutation() has each from; i64 [B,T],
  /// of the others any place.
  at::Tensor from(const at::Tensor& counts, int64_t tokens) const;
  const at::Tensor& keys_for(int64_t tokens, at::Device device) const;

  const std::string name_;
  const PermutationRule rule_;
  const bool inverse_;
  mutable at::Tensor keys_;  // i64 [n], of "random"; made again for longer batches
};

struct TripletPermutationOptions {
  std::vector<std::string> permutations = {"random"};
  std::string direction = "forward";
  bool permute_back = true;
  std::string padding = "hidden";
  int64_t permutation_seed = 0;

  void fields(Fields& field);
};

/// With several permutations the triplet heads are cut into as many runs of floor(heads /
/// permutations), the last takes the rest, and each run has one (the released code).
class TripletPermutations {
 public:
  /// `name` of the variant and `channels` of its triplet heads, three each. Throws ConfigError when
  /// there are more permutations than heads. `inverse` as of SequencePermutation.
  TripletPermutations(const std::string& name, const TripletPermutationOptions& options,
                      int64_t layer, int64_t channels, bool inverse);

  /// Each run of heads by its permutation, among the tokens that are kept.
  ///
  /// channels  float [B,T,C]
  /// returns   float [B,T,C]
  at::Tensor permuted(const at::Tensor& channels, const at::Tensor& keep) const;

 private:
  std::vector<SequencePermutation> permutations_;
};

}  // namespace rethink
