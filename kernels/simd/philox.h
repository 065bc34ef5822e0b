// Many Philox blocks at once, and dropout's decisions from them (kernels/philox_dropout/keep.h).
// For _isa.cpp files only (isa.h).
#pragma once

#include "core/philox.h"
#include "kernels/simd/vector.h"

namespace rethink::RETHINK_ISA {

constexpr int kPhiloxLanes = 16;

/// The blocks at sixteen counters; `words` [16, 4] in memory order, which core/philox.h defines one
/// by one.
inline void philox_16(PhiloxKey key, const uint64_t* counters, uint32_t* words) {
  uint32_t c0[kPhiloxLanes], c1[kPhiloxLanes], c2[kPhiloxLanes], c3[kPhiloxLanes];
  for (int lane = 0; lane < kPhiloxLanes; ++lane) {
    c0[lane] = static_cast<uint32_t>(counters[lane]);
    c1[lane] = static_cast<uint32_t>(counters[lane] >> 32);
    c2[lane] = static_cast<uint32_t>(key.stream);
    c3[lane] = static_cast<uint32_t>(key.stream >> 32);
  }
  uint32_t k0 = static_cast<uint32_t>(key.seed), k1 = static_cast<uint32_t>(key.seed >> 32);
  for (int round = 0; round < 10; ++round) {
    for (int lane = 0; lane < kPhiloxLanes; ++lane) {
      const uint64_t product0 = static_cast<uint64_t>(0xD2511F53u) * c0[lane];
      const uint64_t product1 = static_cast<uint64_t>(0xCD9E8D57u) * c2[lane];
      c0[lane] = static_cast<uint32_t>(product1 >> 32) ^ c1[lane] ^ k0;
      c1[lane] = static_cast<uint32_t>(product1);
      c2[lane] = static_cast<uint32_t>(product0 >> 32) ^ c3[lane] ^ k1;
      c3[lane] = static_cast<uint32_t>(product0);
    }
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  for (int lane = 0; lane < kPhiloxLanes; ++lane) {
    words[4 * lane] = c0[lane];
    words[4 * lane + 1] = c1[lane];
    words[4 * lane + 2] = c2[lane];
    words[4 * lane + 3] = c3[lane];
  }
}

/// Sixteen bits for each column of `rows` rows, row r starting at bits + r * 8 * blocks. Row r's
/// Philox counters are first + r * row_blocks + [0, blocks).
///
/// Requires: `bits` has room for rows * blocks, rounded up to 16, times 8.
inline void fill_keep_bits(PhiloxKey key, uint64_t first, int64_t row_blocks, int64_t rows,
                           int64_t blocks, uint16_t* bits) {
  uint64_t counters[kPhiloxLanes];
  uint32_t words[4 * kPhiloxLanes];
  int64_t row = 0, block = 0;
  for (int64_t done = 0; done < rows * blocks; done += kPhiloxLanes) {
    for (int lane = 0; lane < kPhiloxLanes; ++lane) {
      counters[lane] = first + static_cast<uint64_t>(row * row_blocks + block);
      if (++block == blocks) block = 0, ++row;
    }
    philox_16(key, counters, words);
    std::memcpy(bits + done * 8, words, sizeof words);
  }
}

/// What the next lanes are multiplied by: 0 or `scale`.
template <typename T>
inline Vector<T> keep_factors(const uint16_t* bits, uint32_t threshold, T scale) {
  Vector<uint16_t, kLanes<T>> packed;
  std::memcpy(&packed, bits, sizeof packed);
  const Mask<T> wide = __builtin_convertvector(packed, Mask<T>);
  return wide >= static_cast<typename BitsOf<T>::type>(threshold) ? splat(scale) : Vector<T>{};
}

}  // namespace rethink::RETHINK_ISA
