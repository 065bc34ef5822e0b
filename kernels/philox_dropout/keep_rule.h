// The rule that decides which elements dropout keeps: pure arithmetic on Philox numbers, for the
// CPU, CUDA and references.
//
// A tensor counts as rows of its last dimension. Row r with n columns owns the Philox counters [r *
// ceil(n/8), (r+1) * ceil(n/8)). Each block of 128 bits decides on eight neighbouring columns, with
// 16 bits per column in little-endian order. So a probability is rounded to a multiple of 1/65536.
#pragma once

#include <cstdint>

#include "core/philox.h"

namespace rethink {

constexpr int kKeepColumns = 8;  // columns per Philox block

/// Keeps an element whose 16 bits are not below `threshold`, and multiplies it by `scale`.
struct KeepRule {
  PhiloxKey key;
  uint32_t threshold = 0;  // out of 65536; 0 = keep all
  double scale = 1.0;      // 1 / (share kept) for the rounded probability, so the mean is exact
};

/// Returns the rule that drops with probability p. Requires: 0 <= p < 1.
inline KeepRule keep_rule(double p, PhiloxKey key) {
  uint32_t threshold = static_cast<uint32_t>(p * 65536.0 + 0.5);
  if (threshold > 65535u) threshold = 65535u;
  return {key, threshold, 65536.0 / (65536.0 - threshold)};
}

/// Returns the key with these bits. The numbers are signed, since schemas of operators have no
/// unsigned type.
inline PhiloxKey operator_key(int64_t seed, int64_t stream) {
  return {static_cast<uint64_t>(seed), static_cast<uint64_t>(stream)};
}

RETHINK_HOST_DEVICE inline uint64_t keep_blocks(int64_t columns) {
  return static_cast<uint64_t>((columns + kKeepColumns - 1) / kKeepColumns);
}

/// Returns the 16 bits that decide on column `index` of the eight columns of `block`.
RETHINK_HOST_DEVICE inline uint32_t keep_bits(const PhiloxBlock& block, int index) {
  return (block.word[index / 2] >> (16 * (index % 2))) & 0xFFFFu;
}

}  // namespace rethink
