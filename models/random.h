// Which Philox stream a random number of a model comes from: never two sites, steps or purposes the
// same one.
#pragma once

#include <cstdint>

#include "core/philox.h"

namespace rethink {

/// What a forward pass is for.
enum class RandomPurpose : uint64_t { training = 1, evaluation = 2 };

constexpr int kPassBits = 40, kStepBits = 28, kSiteBits = 16, kEvaluationBatchBits = 16;

/// The key of one forward pass. Its low 16 bits are free for the sites of the model. Requires:
/// pass < 2^40.
inline PhiloxKey pass_key(uint64_t seed, RandomPurpose purpose, int64_t pass) {
  return {seed, (static_cast<uint64_t>(purpose) << (kPassBits + kSiteBits)) |
                    (static_cast<uint64_t>(pass) << kSiteBits)};
}

/// The key of one of the passes that make up a training step. Requires: step < 2^28, part < 4096.
inline PhiloxKey training_key(uint64_t seed, int64_t step, int64_t part) {
  return pass_key(seed, RandomPurpose::training, step | (part << kStepBits));
}

/// The key of an evaluation's pass over its batch number `batch`. Requires: step < 2^24, batch <
/// 65536.
inline PhiloxKey evaluation_key(uint64_t seed, int64_t step, int64_t batch) {
  return pass_key(seed, RandomPurpose::evaluation, (step << kEvaluationBatchBits) + batch);
}

/// The step that a training's key is of, or after which an evaluation's key evaluates.
inline int64_t step_of(PhiloxKey key) {
  const uint64_t pass = (key.stream >> kSiteBits) & ((uint64_t{1} << kPassBits) - 1);
  const bool trains = key.stream >> (kPassBits + kSiteBits) == uint64_t(RandomPurpose::training);
  return static_cast<int64_t>(trains ? pass & ((uint64_t{1} << kStepBits) - 1)
                                     : pass >> kEvaluationBatchBits);
}

/// The key of one site (a dropout, an attention call) of the pass. Requires: site < 65536.
inline PhiloxKey site_key(PhiloxKey pass, uint64_t site) {
  return {pass.seed, pass.stream | site};
}

}  // namespace rethink
