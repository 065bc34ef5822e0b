#include "models/attention/sequence_permutation.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace rethink {

std::vector<int64_t> SequencePermutation::places(int64_t count) const {
  const std::vector<int64_t> from = permutation(name_, count, rule_);
  return inverse_ ? inverted(from) : from;
}

const at::Tensor& SequencePermutation::whole_for(int64_t tokens, at::Device device) const {
  at::Tensor& whole = whole_[tokens];
  if (!whole.defined() || whole.device() != device)
    whole = at::tensor(places(tokens), at::kLong).to(device);
  return whole;
}

const at::Tensor& SequencePermutation::table_for(int64_t tokens, at::Device device) const {
  if (table_.defined() && table_.size(1) >= tokens && table_.device() == device) return table_;
  at::Tensor table = at::zeros({tokens + 1, tokens}, at::kLong);
  for (int64_t count = 1; count <= tokens; ++count)
    std::ranges::copy(places(count), table.data_ptr<int64_t>() + count * tokens);
  table_ = table.to(device);
  return table_;
}

at::Tensor SequencePermutation::taken(const at::Tensor& input, const at::Tensor& keep) const {
  const int64_t tokens = input.size(1);
  if (!keep.defined()) return input.index_select(1, whole_for(tokens, input.device()));
  const at::Tensor& table = table_for(tokens, input.device());
  const at::Tensor kept_BT = keep.to(at::kLong);
  const at::Tensor rank_BT = (kept_BT.cumsum(1) - 1).clamp_min(0);
  const at::Tensor place_BT = keep.logical_not().argsort(/*stable=*/true, 1);  // of each rank
  const at::Tensor from_BT = table.index_select(0, kept_BT.sum(1)).gather(1, rank_BT);
  const at::Tensor own_BT = at::arange(tokens, kept_BT.options()).expand_as(kept_BT);
  const at::Tensor index_BT = at::where(keep, place_BT.gather(1, from_BT), own_BT);
  return input.gather(1, index_BT.unsqueeze(2).expand_as(input));
}

}  // namespace rethink
