// Random draws of patterns: Philox by the option `seed`, so that a mask is the same on every
// machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rethink {

class MaskDraw {
 public:
  /// `pattern`: equal seeds of two patterns give unlike draws.
  MaskDraw(int64_t seed, const std::string& pattern);
  /// Uniform over 0, ..., bound - 1, without bias. Requires: bound >= 1.
  int64_t below(int64_t bound);
  /// `count` of 0, ..., bound - 1, each at most once, in the order drawn. Requires: count <= bound.
  std::vector<int64_t> distinct(int64_t count, int64_t bound);

 private:
  uint64_t seed_, stream_, counter_ = 0;
};

}  // namespace rethink
