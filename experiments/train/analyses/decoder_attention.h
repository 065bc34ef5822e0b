// The attention of a decoder's tokens in one layer (BET): to themselves and to earlier tokens
// (section 4.2, Table 1), and the most attended tokens (section 4.6, Table 3).
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace rethink {

/// Sums over the tokens of a layer.
class AttentionSums {
 public:
  /// map  float [1,H,T,T]  causal attention of one sequence; its mean over heads counts
  void add(const at::Tensor& map);

  /// Returns the mean attention of a token to one earlier token, over all pairs; NaN without a
  /// pair.
  double current() const;
  /// Returns the same for uniform attention of each token to itself and to all earlier tokens.
  double current_if_even() const;
  /// Returns the mean attention of a token to one earlier token, over all pairs; NaN without a pair.
  double history() const;
  /// Returns the standard deviation of a token's attention to earlier tokens, averaged over tokens;
  /// NaN if no token has earlier tokens.
  double history_deviation() const;

 private:
  double current_ = 0, even_ = 0, history_ = 0, deviations_ = 0;
  int64_t tokens_ = 0, pairs_ = 0, later_tokens_ = 0;
};

struct AttendedToken {
  int64_t position = 0;
  double weight = 0;
};

/// Returns for each token the `count` tokens to which it attends most in the mean over heads, most
/// first; of equals, the earlier token first. Tokens without attention, such as masked tokens, are
/// left out, so early tokens have fewer.
///
/// map  float [1,H,T,T]  of one sequence
std::vector<std::vector<AttendedToken>> top_attended(const at::Tensor& map, int64_t count);

}  // namespace rethink
