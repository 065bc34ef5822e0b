// A permutation within each sequence of a batch: its own tokens change places among themselves, so
// that padding and batch mates change nothing.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <utility>

#include "models/permutations/permutation.h"

namespace rethink {

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

}  // namespace rethink
