#include "experiments/train/analyses/attention_sums.h"

#include <ATen/ATen.h>

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

}  // namespace rethink
