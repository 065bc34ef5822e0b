// A sequence of random numbers for data: the words of one Philox stream, in order.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/error.h"
#include "core/philox.h"

namespace rethink {

class PhiloxStream {
 public:
  explicit PhiloxStream(PhiloxKey key) : key_(key) {}

  uint64_t next() {
    if (used_ == 2) {
      block_ = philox(key_, counter_++);
      used_ = 0;
    }
    const uint64_t low = block_.word[2 * used_], high = block_.word[2 * used_ + 1];
    ++used_;
    return low | (high << 32);
  }

  /// Uniform in [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  /// Uniform in 0 ... bound-1. The bias is below bound / 2^64. Requires: bound > 0.
  uint64_t below(uint64_t bound) {
    RETHINK_ASSERT(bound > 0, "nothing to draw from");
    return static_cast<uint64_t>((static_cast<unsigned __int128>(next()) * bound) >> 64);
  }

 private:
  PhiloxKey key_;
  PhiloxBlock block_{};
  uint64_t counter_ = 0;
  size_t used_ = 2;
};

}  // namespace rethink
