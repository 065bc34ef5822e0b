#include "experiments/train/analyses/decoder_attention.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <limits>

namespace rethink {
namespace {

double mean_of(double sum, int64_t count) {
  return count == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(count);
}

}  // namespace

void AttentionSums::add(const at::Tensor& map) {
  const at::Tensor weights_TT = map.to(at::kDouble).mean(1).squeeze(0);
  const int64_t tokens = weights_TT.size(0);
  current_ += weights_TT.diagonal().sum().item<double>();
  even_ += at::arange(1, tokens + 1, at::kDouble).reciprocal().sum().item<double>();
  tokens_ += tokens;
  for (int64_t token = 1; token < tokens; ++token) {
    const at::Tensor before = weights_TT[token].narrow(0, 0, token);
    history_ += before.sum().item<double>();
    deviations_ += before.std(/*unbiased=*/false).item<double>();
    pairs_ += token;
    ++later_tokens_;
  }
}

double AttentionSums::current() const {
  return mean_of(current_, tokens_);
}
double AttentionSums::current_if_even() const {
  return mean_of(even_, tokens_);
}
double AttentionSums::history() const {
  return mean_of(history_, pairs_);
}
double AttentionSums::history_deviation() const {
  return mean_of(deviations_, later_tokens_);
}

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
