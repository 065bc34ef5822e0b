// How much of its attention a decoder's token gives itself, and how much each token before it
// (BET, section 4.2, Table 1).
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace rethink {

/// Sums over the tokens of one layer.
class AttentionSums {
 public:
  /// map  float [1,H,T,T]  of one sequence, causal; the mean of its heads counts
  void add(const at::Tensor& map);

  /// Mean of what tokens give themselves, of all tokens.
  double current() const;
  /// The same if each token attended evenly to itself and to all before it.
  double current_if_even() const;
  /// Mean of what tokens give one that stands before them, of all pairs; NaN without one.
  double history() const;
  /// Within what a token gives those before it the standard deviation, the mean over tokens; NaN
  /// without one that has some before it.
  double history_deviation() const;

 private:
  double current_ = 0, even_ = 0, history_ = 0, deviations_ = 0;
  int64_t tokens_ = 0, pairs_ = 0, later_tokens_ = 0;
};

}  // namespace rethink
