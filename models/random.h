// Which Philox stream a random number of a model comes from: never two sites, steps or purposes the
// same one.
#pragma once

#include <cstdint>

#include "core/philox.h"

namespace rethink {

/// What a forward pass is for.
enum class RandomPurpose : uint64_t { training = 1, evaluation = 2 };

/// The key of one forward pass. Its low 16 bits are free for the sites of the model.
inline PhiloxKey pass_key(uint64_t seed, RandomPurpose purpose, int64_t pass) {
  return {seed, (static_cast<uint64_t>(purpose) << 56) | (static_cast<uint64_t>(pass) << 16)};
}

/// The key of one site (a dropout, an attention call) of the pass. Requires: site < 65536.
inline PhiloxKey site_key(PhiloxKey pass, uint64_t site) {
  return {pass.seed, pass.stream | site};
}

}  // namespace rethink
