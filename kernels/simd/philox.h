// Computation of many Philox blocks at once, and dropout's decisions
// (kernels/philox_dropout/keep_rule.h). For _isa.cpp files only (isa.h).
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "core/philox.h"
#include "kernels/philox_dropout/keep_rule.h"
#include "kernels/simd/vector.h"

namespace rethink::RETHINK_ISA {

constexpr int kPhiloxLanes = 16;

/// 32-bit numbers in the lower halves of 64-bit lanes. The upper halves have no meaning.
constexpr int kHalves = kVectorBytes / 8;
using Halves = Vector<uint64_t, kHalves>;

/// Returns the products of the lower halves.
inline Halves wide_product(Halves a, Halves b) {
#if defined(__AVX512F__)
  // Not _mm512_mul_epu32, of which GCC 12 warns that it reads what is not initialized.
  return (Halves)_mm512_maskz_mul_epu32(0xFF, (__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
  return (Halves)_mm256_mul_epu32((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
  return (Halves)_mm_mul_epu32((__m128i)a, (__m128i)b);
#else
  return (a & 0xFFFFFFFFu) * (b & 0xFFFFFFFFu);
#endif
}

/// Computes the blocks at sixteen counters as `words` [16, 4] in memory order. core/philox.h
/// defines a single block.
inline void philox_16(PhiloxKey key, const uint64_t* counters, uint32_t* words) {
  constexpr int parts = kPhiloxLanes / kHalves;
  const Halves first = Halves{} + 0xD2511F53u, second = Halves{} + 0xCD9E8D57u;
  Halves c0[parts], c1[parts], c2[parts], c3[parts];
#pragma GCC unroll 8
  for (int part = 0; part < parts; ++part) {
    std::memcpy(&c0[part], counters + part * kHalves, sizeof(Halves));
    c1[part] = c0[part] >> 32;
    c2[part] = Halves{} + (key.stream & 0xFFFFFFFFu);
    c3[part] = Halves{} + (key.stream >> 32);
  }
  uint32_t k0 = static_cast<uint32_t>(key.seed), k1 = static_cast<uint32_t>(key.seed >> 32);
#pragma GCC unroll 10
  for (int round = 0; round < 10; ++round) {
#pragma GCC unroll 8
    for (int part = 0; part < parts; ++part) {
      const Halves product0 = wide_product(c0[part], first);
      const Halves product1 = wide_product(c2[part], second);
      c0[part] = (product1 >> 32) ^ c1[part] ^ (Halves{} + k0);
      c1[part] = product1;
      c2[part] = (product0 >> 32) ^ c3[part] ^ (Halves{} + k1);
      c3[part] = product0;
    }
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
#pragma GCC unroll 8
  for (int part = 0; part < parts; ++part) {
    const Halves low = (c0[part] & 0xFFFFFFFFu) | (c1[part] << 32);
    const Halves high = (c2[part] & 0xFFFFFFFFu) | (c3[part] << 32);
    for (int lane = 0; lane < kHalves; ++lane) {
      const uint64_t block[2] = {low[lane], high[lane]};
      std::memcpy(words + 4 * (part * kHalves + lane), block, sizeof block);
    }
  }
}

/// Returns the number of Philox blocks for so many columns, as keep_blocks().
inline int64_t blocks_of(int64_t columns) {
  return round_up(columns, kKeepColumns) / kKeepColumns;
}

/// Computes sixteen bits for each column of `rows` rows. Row r starts at bits + r * blocks *
/// kKeepColumns, and its Philox counters are first + r * row_blocks + [0, blocks).
///
/// Requires: `bits` has room for rows * blocks, rounded up to kPhiloxLanes, times kKeepColumns.
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
    std::memcpy(bits + done * kKeepColumns, words, sizeof words);
  }
}

/// Returns the factors of the next lanes: 0 or `scale`.
template <typename T>
inline Vector<T> keep_factors(const uint16_t* bits, uint32_t threshold, T scale) {
  Vector<uint16_t, kLanes<T>> packed;
  std::memcpy(&packed, bits, sizeof packed);
  const Mask<T> wide = __builtin_convertvector(packed, Mask<T>);
  return wide >= static_cast<typename BitsOf<T>::type>(threshold) ? splat(scale) : Vector<T>{};
}

}  // namespace rethink::RETHINK_ISA
