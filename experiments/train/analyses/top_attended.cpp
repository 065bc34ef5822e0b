#include "experiments/train/analyses/top_attended.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace rethink {

std::vector<std::vector<AttendedToken>> top_attended(const at::Tensor& map, int64_t count) {
  const at::Tensor weights_TT = map.to(at::kDouble).mean(1).squeeze(0).contiguous();
  const int64_t tokens = weights_TT.size(0);
  const auto* weight = weights_TT.const_data_ptr<double>();
  std::vector<std::vector<AttendedToken>> all;
  for (int64_t query = 0; query < tokens; ++query) {
    std::vector<AttendedToken>& attended = all.emplace_back();
    for (int64_t key = 0; key < tokens; ++key, ++weight) {
      if (*weight > 0) attended.push_back({key, *weight});
    }
    std::ranges::stable_sort(attended, std::ranges::greater(), &AttendedToken::weight);
    attended.resize(std::min(attended.size(), static_cast<size_t>(count)));
  }
  return all;
}

}  // namespace rethink
