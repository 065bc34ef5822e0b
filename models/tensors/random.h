// Random numbers of a model: Philox streams, one for each purpose, pass and site; initial weights
// drawn from (seed, name); and logistic noise. No two sites, steps or purposes share a stream.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

#include "core/error.h"
#include "core/philox.h"

namespace rethink {

/// Purpose of a forward pass.
enum class RandomPurpose : uint64_t { training = 1, evaluation = 2 };

constexpr int kPassBits = 40, kStepBits = 28, kSiteBits = 16, kEvaluationBatchBits = 16;
/// Limits: steps of a training (each may be followed by an evaluation), passes of a step, sites of
/// a model. experiments/train/train_options.cpp checks options against these limits.
constexpr int64_t kTrainingSteps = int64_t{1} << (kPassBits - kEvaluationBatchBits),
                  kTrainingParts = int64_t{1} << (kPassBits - kStepBits),
                  kSites = int64_t{1} << kSiteBits;

/// Returns the key of one forward pass. Its low 16 bits are zero and hold the site later.
inline PhiloxKey pass_key(uint64_t seed, RandomPurpose purpose, int64_t pass) {
  RETHINK_ASSERT(pass >= 0 && pass >> kPassBits == 0, "pass " + std::to_string(pass));
  return {seed, (static_cast<uint64_t>(purpose) << (kPassBits + kSiteBits)) |
                    (static_cast<uint64_t>(pass) << kSiteBits)};
}

/// Returns the key of pass `part` of a training step. Requires: step < kTrainingSteps, part <
/// kTrainingParts.
inline PhiloxKey training_key(uint64_t seed, int64_t step, int64_t part) {
  RETHINK_ASSERT(step < kTrainingSteps && part < kTrainingParts,
                 "step " + std::to_string(step) + ", part " + std::to_string(part));
  return pass_key(seed, RandomPurpose::training, step | (part << kStepBits));
}

/// Returns the key of an evaluation's pass over batch number `batch`. Keys repeat within an
/// evaluation after 65,536 batches. Requires: step < kTrainingSteps.
inline PhiloxKey evaluation_key(uint64_t seed, int64_t step, int64_t batch) {
  RETHINK_ASSERT(step < kTrainingSteps, "step " + std::to_string(step));
  const int64_t number = batch & ((int64_t{1} << kEvaluationBatchBits) - 1);
  return pass_key(seed, RandomPurpose::evaluation, (step << kEvaluationBatchBits) | number);
}

/// Returns the training step of a key. For an evaluation's key this is the step before the
/// evaluation.
inline int64_t step_of(PhiloxKey key) {
  const uint64_t pass = (key.stream >> kSiteBits) & ((uint64_t{1} << kPassBits) - 1);
  const bool trains = key.stream >> (kPassBits + kSiteBits) == uint64_t(RandomPurpose::training);
  return static_cast<int64_t>(trains ? pass & ((uint64_t{1} << kStepBits) - 1)
                                     : pass >> kEvaluationBatchBits);
}

/// Returns the key of one site of the pass, such as a dropout or an attention call. Requires: site
/// < kSites.
inline PhiloxKey site_key(PhiloxKey pass, uint64_t site) {
  RETHINK_ASSERT(site < static_cast<uint64_t>(kSites), "site " + std::to_string(site));
  return {pass.seed, pass.stream | site};
}

// Each parameter's initial value is drawn from (seed, name). Two models with a parameter of the
// same name and shape start with the same value, whatever their other parameters are. So the arms
// of a sweep start with equal values in the parameters that they share.

/// Seeds LibTorch's CPU generator from (seed, name), so that the next draws are the same in every
/// model.
void seed_for(uint64_t seed, const std::string& name);

/// Returns float32 [sizes], uniform in [-bound, bound).
at::Tensor seeded_uniform(uint64_t seed, const std::string& name, at::IntArrayRef sizes,
                          double bound);

/// Returns float32 [sizes], normal with mean 0 and standard deviation `deviation`.
at::Tensor seeded_normal(uint64_t seed, const std::string& name, at::IntArrayRef sizes,
                         double deviation);

/// Returns float32 [sizes], logistic noise log(u / (1-u)) with u uniform in (0, 1). The noise is
/// distributed as the difference of two Gumbel variables, as the Gumbel-sigmoid needs. Random:
/// Philox, computed on the device. A resumed run gets the same numbers. Devices may differ in the
/// last bit of the logarithm.
at::Tensor logistic_noise(at::IntArrayRef sizes, PhiloxKey key, const at::Device& device);

}  // namespace rethink
