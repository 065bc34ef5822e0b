// Which token's second key a triplet head takes: the permutations that the variants of triplet
// attention share, in runs of heads.
#pragma once

#include <string>
#include <vector>

#include "core/config/options.h"
#include "models/attention/sequence_permutation.h"

namespace rethink {

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
