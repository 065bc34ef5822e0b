#include "models/attention/sequence_permutation.h"

#include <ATen/ATen.h>

#include <limits>

#include "core/error.h"

namespace rethink {

const at::Tensor& SequencePermutation::keys_for(int64_t tokens, at::Device device) const {
  if (!keys_.defined() || keys_.size(0) < tokens || keys_.device() != device)
    keys_ = at::tensor(random_keys(tokens, rule_), at::kLong).to(device);
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

}  // namespace rethink
