// A permutation within each sequence of a batch: its own tokens change places among themselves, so
// that padding and batch mates change nothing.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/permutations/permutation.h"

namespace rethink {

class SequencePermutation {
 public:
  /// `inverse`: which place a token goes to, instead of the one it comes from.
  SequencePermutation(std::string name, PermutationRule rule, bool inverse)
      : name_(std::move(name)), rule_(rule), inverse_(inverse) {}

  /// `input` with each place's token from where the permutation has it. The k tokens that are kept
  /// count as 0 ... k - 1 in their order, wherever they stand; padding stays where it is. Nothing
  /// waits for the device.
  ///
  /// input   float [B,T,C]
  /// keep    bool [B,T]     undefined = all
  /// returns float [B,T,C]
  at::Tensor taken(const at::Tensor& input, const at::Tensor& keep) const;

 private:
  std::vector<int64_t> places(int64_t count) const;
  const at::Tensor& whole_for(int64_t tokens, at::Device device) const;
  const at::Tensor& table_for(int64_t tokens, at::Device device) const;

  const std::string name_;
  const PermutationRule rule_;
  const bool inverse_;
  mutable std::map<int64_t, at::Tensor> whole_;  // i64 [n] of batches without padding, by n
  /// i64 [n+1,n]: row k begins with the permutation of k tokens; made again for longer batches.
  mutable at::Tensor table_;
};

}  // namespace rethink
