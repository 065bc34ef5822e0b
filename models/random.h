// Random numbers of a model: the Philox stream of each pass and site (never two sites, steps or purposes
// the same one), first values of weights from (seed, name), and logistic noise.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

#include "core/error.h"
#include "core/philox.h"

namespace rethink {

/// What a forward pass is for.
enum class RandomPurpose : uint64_t { training = 1, evaluation = 2 };

constexpr int kPassBits = 40, kStepBits = 28, kSiteBits = 16, kEvaluationBatchBits = 16;
/// A step has fewer passes, and a training fewer steps, after each of which it may evaluate; what people
/// ask for is held against these (experiments/train/train_options.cpp). A model has fewer sites.
constexpr int64_t kTrainingSteps = int64_t{1} << (kPassBits - kEvaluationBatchBits),
                  kTrainingParts = int64_t{1} << (kPassBits - kStepBits),
                  kSites = int64_t{1} << kSiteBits;

/// The key of one forward pass. Its low 16 bits are free for the sites of the model.
inline PhiloxKey pass_key(uint64_t seed, RandomPurpose purpose, int64_t pass) {
  RETHINK_ASSERT(pass >= 0 && pass >> kPassBits == 0, "pass " + std::to_string(pass));
  return {seed, (static_cast<uint64_t>(purpose) << (kPassBits + kSiteBits)) |
                    (static_cast<uint64_t>(pass) << kSiteBits)};
}

/// The key of one of the passes that make up a training step. Requires: step < kTrainingSteps,
/// part < kTrainingParts.
inline PhiloxKey training_key(uint64_t seed, int64_t step, int64_t part) {
  RETHINK_ASSERT(step < kTrainingSteps && part < kTrainingParts,
                 "step " + std::to_string(step) + ", part " + std::to_string(part));
  return pass_key(seed, RandomPurpose::training, step | (part << kStepBits));
}

/// The key of an evaluation's pass over its batch number `batch`; from the 65,537th on a batch has the
/// numbers of an earlier one of this evaluation. Requires: step < kTrainingSteps.
inline PhiloxKey evaluation_key(uint64_t seed, int64_t step, int64_t batch) {
  RETHINK_ASSERT(step < kTrainingSteps, "step " + std::to_string(step));
  const int64_t number = batch & ((int64_t{1} << kEvaluationBatchBits) - 1);
  return pass_key(seed, RandomPurpose::evaluation, (step << kEvaluationBatchBits) | number);
}

/// The step that a training's key is of, or after which an evaluation's key evaluates.
inline int64_t step_of(PhiloxKey key) {
  const uint64_t pass = (key.stream >> kSiteBits) & ((uint64_t{1} << kPassBits) - 1);
  const bool trains = key.stream >> (kPassBits + kSiteBits) == uint64_t(RandomPurpose::training);
  return static_cast<int64_t>(trains ? pass & ((uint64_t{1} << kStepBits) - 1)
                                     : pass >> kEvaluationBatchBits);
}

/// The key of one site (a dropout, an attention call) of the pass. Requires: site < kSites.
inline PhiloxKey site_key(PhiloxKey pass, uint64_t site) {
  RETHINK_ASSERT(site < static_cast<uint64_t>(kSites), "site " + std::to_string(site));
  return {pass.seed, pass.stream | site};
}

// Initial weights drawn one parameter at a time from (seed, name), so that models which share a
// parameter's name and shape share its first value, whatever else they are made of: the arms of a
// sweep start alike.

/// Seeds the CPU generator of LibTorch from (seed, name): what is drawn next is the same in every
/// model.
void seed_for(uint64_t seed, const std::string& name);

/// float32 [sizes], uniform in [-bound, bound).
at::Tensor seeded_uniform(uint64_t seed, const std::string& name, at::IntArrayRef sizes,
                          double bound);

/// float32 [sizes], normal with mean 0.
at::Tensor seeded_normal(uint64_t seed, const std::string& name, at::IntArrayRef sizes,
                         double deviation);

/// float32 [sizes], log(u / (1-u)) of u uniform in (0, 1): logistic, as the difference of two Gumbel
/// numbers, which the Gumbel-sigmoid adds. Random: Philox, so that a resumed run
/// and any device get the same numbers, but for the last bit of the logarithm: they are made on the
/// device.
at::Tensor logistic_noise(at::IntArrayRef sizes, PhiloxKey key, const at::Device& device);

}  // namespace rethink
