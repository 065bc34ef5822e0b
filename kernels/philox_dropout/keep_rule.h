// Which elements dropout keeps, as pure arithmetic on Philox numbers: one rule for the CPU, CUDA
// and references.
//
// A tensor is seen as rows of its last dimension. Row r of n columns owns the Philox counters [r *
// ceil(n/8), (r+1) * ceil(n/8)); each block of 128 bits decides on eight neighbouring columns, 16
// bits each, in little-endian order, so that a probability is rounded to a multiple of 1/65536.
#pragma once

#include <cstdint>

#include "core/philox.h"

namespace rethink {

constexpr int kKeepColumns = 8;  // that one Philox block decides on

/// An element is kept when its 16 bits are not below `threshold`, and then multiplied by `scale`.
struct KeepRule {
  PhiloxKey key;
  uint32_t threshold = 0;  // of 65536; 0 = keep all
  double scale = 1.0;      // 1 / (share kept), of the rounded probability: the expectation is exact
};

/// Requires: 0 <= p < 1.
inline KeepRule keep_rule(double p, PhiloxKey key) {
  uint32_t threshold = static_cast<uint32_t>(p * 65536.0 + 0.5);
  if (threshold > 65535u) threshold = 65535u;
  return {key, threshold, 65536.0 / (65536.0 - threshold)};
}

/// The key from its bits as signed numbers, since schemas of operators know no unsigned ones.
inline PhiloxKey operator_key(int64_t seed, int64_t stream) {
  return {static_cast<uint64_t>(seed), static_cast<uint64_t>(stream)};
}

RETHINK_HOST_DEVICE inline uint64_t keep_blocks(int64_t columns) {
  return static_cast<uint64_t>((columns + kKeepColumns - 1) / kKeepColumns);
}

/// The 16 bits that decide on column `index` of the eight that `block` decides on.
RETHINK_HOST_DEVICE inline uint32_t keep_bits(const PhiloxBlock& block, int index) {
  return (block.word[index / 2] >> (16 * (index % 2))) & 0xFFFFu;
}

}  // namespace rethink
