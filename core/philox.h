// Philox 4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011): random
// numbers as a pure function of (key, counter), so that they are the same on every device, thread
// count and after every resume. Header-only and free of the standard library's containers: .cu
// files include it.
#pragma once

#include <cstdint>

#if defined(__CUDACC__)
#define RETHINK_HOST_DEVICE __host__ __device__
#else
#define RETHINK_HOST_DEVICE
#endif

namespace rethink {

/// Key of a stream of random numbers. Equal (seed, purpose, step) give equal numbers; other keys
/// give independent numbers.
struct PhiloxKey {
  uint64_t seed = 0;
  uint64_t stream = 0;
};

struct PhiloxBlock {
  uint32_t word[4];
};

/// The block of four words at `counter` of the stream `key`.
RETHINK_HOST_DEVICE inline PhiloxBlock philox(PhiloxKey key, uint64_t counter) {
  uint32_t c0 = static_cast<uint32_t>(counter), c1 = static_cast<uint32_t>(counter >> 32);
  uint32_t c2 = static_cast<uint32_t>(key.stream), c3 = static_cast<uint32_t>(key.stream >> 32);
  uint32_t k0 = static_cast<uint32_t>(key.seed), k1 = static_cast<uint32_t>(key.seed >> 32);
  for (int round = 0; round < 10; ++round) {
    const uint64_t product0 = static_cast<uint64_t>(0xD2511F53u) * c0;
    const uint64_t product1 = static_cast<uint64_t>(0xCD9E8D57u) * c2;
    const uint32_t high0 = static_cast<uint32_t>(product0 >> 32),
                   low0 = static_cast<uint32_t>(product0);
    const uint32_t high1 = static_cast<uint32_t>(product1 >> 32),
                   low1 = static_cast<uint32_t>(product1);
    c0 = high1 ^ c1 ^ k0;
    c1 = low1;
    c2 = high0 ^ c3 ^ k1;
    c3 = low0;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return {{c0, c1, c2, c3}};
}

/// Uniform in [0, 1) with 24 random bits: exact in float32.
RETHINK_HOST_DEVICE inline float philox_uniform(uint32_t word) {
  return static_cast<float>(word >> 8) * (1.0f / 16777216.0f);
}

}  // namespace rethink
