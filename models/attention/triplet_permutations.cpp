#include "models/attention/triplet_permutations.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "core/error.h"

namespace rethink {

void TripletPermutationOptions::fields(Fields& field) {
  field("permutations", permutations,
        "which other token a key is made with, a run of triplet heads each: next (P1 of the "
        "slides), next_two (P2), random (P3), reverse (P4), swap (P5)")
      .not_empty()
      .one_of(permutation_names());
  field("direction", direction,
        "of next and next_two: the word that follows, or the one before it (released code)")
      .one_of({"forward", "backward"});
  field("permute_back", permute_back,
        "a score belongs to the token of the second key; false: to that of the first");
  field("padding", padding,
        "hidden: a sequence's own tokens change places; seen: padding takes part, as in the "
        "released code, and without pad_to_max_length a result depends on the length of the batch")
      .one_of({"hidden", "seen"});
  field("permutation_seed", permutation_seed, "of random permutations, beside the layer").min(0);
}

TripletPermutations::TripletPermutations(const std::string& name,
                                         const TripletPermutationOptions& options, int64_t layer,
                                         int64_t channels, bool inverse) {
  const PermutationRule rule{.backward = options.direction == "backward",
                             .seed = options.permutation_seed,
                             .layer = layer};
  for (const std::string& permutation : options.permutations)
    permutations_.emplace_back(permutation, rule, inverse);
  if (channels / 3 < static_cast<int64_t>(permutations_.size())) {
    throw ConfigError(fmt::format(
        "attention '{}': got {} permutations for {} triplet heads; each needs one at least", name,
        permutations_.size(), channels / 3));
  }
}

at::Tensor TripletPermutations::permuted(const at::Tensor& channels, const at::Tensor& keep) const {
  const auto runs = static_cast<int64_t>(permutations_.size());
  if (runs == 1) return permutations_[0].permuted(channels, keep);
  const int64_t all = channels.size(2), each = all / 3 / runs * 3;
  std::vector<at::Tensor> parts;
  for (int64_t run = 0; run < runs; ++run) {
    const int64_t count = run + 1 < runs ? each : all - run * each;
    const at::Tensor part = channels.narrow(2, run * each, count);
    parts.push_back(permutations_[static_cast<size_t>(run)].permuted(part, keep));
  }
  return at::cat(parts, 2);
}

}  // namespace rethink
