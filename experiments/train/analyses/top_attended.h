// The tokens that a decoder's token attends to most (BET, section 4.6, Table 3).
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace rethink {

struct AttendedToken {
  int64_t position = 0;
  double weight = 0;
};

/// Of each token those `count` to which it gives most in the mean over heads, most first, of equals
/// the earlier one first. What gets nothing, as what is masked, is not among them, so that early
/// tokens have fewer.
///
/// map  float [1,H,T,T]  of one sequence
std::vector<std::vector<AttendedToken>> top_attended(const at::Tensor& map, int64_t count);

}  // namespace rethink
