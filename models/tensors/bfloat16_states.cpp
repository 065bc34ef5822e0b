#include "models/tensors/bfloat16_states.h"

#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>

#include <utility>

namespace rethink {
namespace {

thread_local Bfloat16States* newest_states = nullptr;

}  // namespace

bool casts_to_bfloat16_on_gpu() {
  return at::autocast::is_autocast_enabled(at::kCUDA) &&
         at::autocast::get_autocast_dtype(at::kCUDA) == at::kBFloat16;
}

Bfloat16States::Bfloat16States() : outer_(std::exchange(newest_states, this)) {}

Bfloat16States::~Bfloat16States() {
  newest_states = outer_;
}

at::Tensor normalized_sum(const at::Tensor& input, const at::Tensor& residual,
                          const at::Tensor& weight, const at::Tensor& bias,
                          const ResidualLayerNormOptions& options) {
  if (!newest_states || !residual.is_cuda() || !casts_to_bfloat16_on_gpu())
    return residual_layer_norm(input, residual, weight, bias, options);
  const NormWithCopy made =
      residual_layer_norm_with_bfloat16(input, residual, weight, bias, options);
  newest_states->states_ = made.output;
  newest_states->copy_ = made.bfloat16;
  return made.output;
}

at::Tensor linear_input(const at::Tensor& input) {
  if (!newest_states || !newest_states->copy_.defined() || !input.is_same(newest_states->states_) ||
      !casts_to_bfloat16_on_gpu())
    return input;
  if (!newest_states->copy_.requires_grad()) return newest_states->copy_;
  return std::exchange(newest_states->copy_, at::Tensor());
}

}  // namespace rethink
