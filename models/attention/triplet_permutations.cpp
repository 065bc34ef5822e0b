#include "models/attention/triplet_permutations.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <limits>

#include "core/error.h"
#include "models/tensors/transfers.h"

namespace rethink {

const at::Tensor& SequencePermutation::keys_for(int64_t tokens, at::Device device) const {
  if (!keys_.defined() || keys_.size(0) < tokens || keys_.device() != device)
    keys_ = sent_to(device, at::tensor(random_keys(tokens, rule_), at::kLong));
  return keys_;
}

at::Tensor SequencePermutation::from(const at::Tensor& counts_B1, int64_t tokens) const {
  const at::Tensor rank_1T = at::arange(tokens, counts_B1.options()).unsqueeze(0);
  if (name_ == "next" || name_ == "next_two") {
    const int64_t by = (name_ == "next" ? 1 : 2) * (rule_.backward != inverse_ ? -1 : 1);
    return (rank_1T + by).remainder(counts_B1.clamp_min(1));
  }
  if (name_ == "reverse") return (counts_B1 - 1 - rank_1T).clamp_min(0);
  if (name_ == "swap") {
    const at::Tensor other_1T = rank_1T.bitwise_xor(1);
    return at::where(other_1T < counts_B1, other_1T, rank_1T);
  }
  RETHINK_ASSERT(name_ == "random", name_);
  const at::Tensor keys_BT =
      at::where(rank_1T < counts_B1, keys_for(tokens, counts_B1.device()).narrow(0, 0, tokens),
                std::numeric_limits<int64_t>::max());
  const at::Tensor from_BT = keys_BT.argsort(/*stable=*/true, 1);
  return inverse_ ? from_BT.argsort(/*stable=*/true, 1) : from_BT;
}

at::Tensor SequencePermutation::permuted(const at::Tensor& input, const at::Tensor& keep) const {
  const int64_t tokens = input.size(1);
  if (!keep.defined()) {
    const at::Tensor count = at::full({1, 1}, tokens, input.options().dtype(at::kLong));
    return input.index_select(1, from(count, tokens).squeeze(0));
  }
  const at::Tensor kept_BT = keep.to(at::kLong);
  const at::Tensor rank_BT = (kept_BT.cumsum(1) - 1).clamp_min(0);
  const at::Tensor place_BT = keep.logical_not().argsort(/*stable=*/true, 1);  // of each rank
  const at::Tensor from_BT = from(kept_BT.sum(1, /*keepdim=*/true), tokens).gather(1, rank_BT);
  const at::Tensor own_BT = at::arange(tokens, kept_BT.options()).expand_as(kept_BT);
  const at::Tensor index_BT = at::where(keep, place_BT.gather(1, from_BT), own_BT);
  return input.gather(1, index_BT.unsqueeze(2).expand_as(input));
}

void TripletPermutationOptions::fields(Fields& field) {
  field("permutations", permutations,
        "permutation that finds a key's other token, for equal runs of triplet heads: next (P1 of "
        "the slides), next_two (P2), random (P3), reverse (P4), swap (P5)")
      .not_empty()
      .one_of(permutation_names());
  field("direction", direction,
        "direction of next and next_two: the following word, or the word before (released code)")
      .one_of({"forward", "backward"});
  field("permute_back", permute_back,
        "assign a score to the token of the second key; false: to the token of the first key");
  field("padding", padding,
        "hidden: only a sequence's own tokens are permuted; seen: padding is permuted too "
        "(released code), and without pad_to_max_length results depend on the length of the batch")
      .one_of({"hidden", "seen"});
  field("permutation_seed", permutation_seed,
        "seed of random permutations, beside the layer's number")
      .min(0);
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
    throw ConfigError(
        "conflicting-values",
        fmt::format(
            "attention '{}': got {} permutations for {} triplet heads; each needs at least one",
            name, permutations_.size(), channels / 3));
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
