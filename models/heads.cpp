#include "models/heads.h"

#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>

#include "kernels/attention/attention.h"
#include "kernels/philox_dropout/philox_dropout.h"
#include "models/tensors/cross_entropy.h"
#include "models/tensors/linear.h"
#include "models/tensors/random.h"

namespace rethink {
namespace {

constexpr uint64_t kHeadSite = 1;  // below the first layer's

}  // namespace

Pooler::Pooler(const EncoderOptions& encoder, uint64_t seed)
    : activation_(encoder.pooled),
      dense_(add_linear(*this, "pooler.", "dense", {encoder.d_model, encoder.d_model},
                        {seed, kBertDeviation})) {}

at::Tensor Pooler::forward(const at::Tensor& hidden) const {
  const at::Tensor dense_BD = linear(hidden.select(1, 0), dense_.weight, dense_.bias);
  return activation_ == "relu" ? at::relu(dense_BD) : at::tanh(dense_BD);
}

MaskedLanguageHead::MaskedLanguageHead(int64_t width, int64_t vocabulary, std::string activation,
                                       uint64_t seed)
    : activation_(std::move(activation)),
      dense_(add_linear(*this, "mlm.", "dense", {width, width}, {seed, kBertDeviation})),
      norm_(add_norm(*this, "norm", width)),
      bias_(register_parameter("bias", at::zeros({vocabulary}))) {}

at::Tensor MaskedLanguageHead::transformed(const at::Tensor& rows) const {
  const at::Tensor dense_ND = activated_linear(rows, dense_, activation_);
  return at::layer_norm(dense_ND, {dense_ND.size(1)}, norm_.weight, norm_.bias, kBertEpsilon);
}

at::Tensor MaskedLanguageHead::logits(const at::Tensor& rows,
                                      const at::Tensor& word_embedding) const {
  return linear(transformed(rows), word_embedding, bias_);
}

at::Tensor MaskedLanguageHead::token_losses(const at::Tensor& rows,
                                            const at::Tensor& word_embedding,
                                            const at::Tensor& targets) const {
  return cross_entropy(logits(rows, word_embedding), targets, at::Reduction::None);
}

at::Tensor MaskedLanguageHead::loss_sum(const at::Tensor& rows, const at::Tensor& word_embedding,
                                        const at::Tensor& targets) const {
  // In bfloat16 the products must be autocast's, on tensor cores; the fused pass is float32.
  if (at::autocast::is_autocast_enabled(rows.device().type()))
    return token_losses(rows, word_embedding, targets).sum();
  return linear_cross_entropy_sum(transformed(rows), word_embedding, bias_, targets);
}

double MaskedLanguageHead::forward_flops(int64_t rows) const {
  const int64_t width = dense_.weight.size(0);
  return 2.0 * static_cast<double>(rows * width * (width + bias_.size(0)));
}

LinearHead::LinearHead(const std::string& name, int64_t width, int64_t outputs, uint64_t seed)
    : weight_(register_parameter(
          "weight", seeded_normal(seed, name + ".weight", {outputs, width}, kBertDeviation))),
      bias_(register_parameter("bias", at::zeros({outputs}))) {}

at::Tensor LinearHead::forward(const at::Tensor& input) const {
  return linear(input, weight_, bias_);
}

at::Tensor rows_at(const at::Tensor& hidden, const at::Tensor& positions) {
  return hidden.reshape({-1, hidden.size(-1)}).index_select(0, positions);
}

at::Tensor choice_logits(const at::Tensor& scores, int64_t choices) {
  return scores.view({-1, choices});
}

std::pair<at::Tensor, at::Tensor> span_logits(const at::Tensor& scores, const at::Tensor& keep) {
  at::Tensor start_BT = scores.select(2, 0), end_BT = scores.select(2, 1);
  if (keep.defined()) {
    const at::Tensor padding = keep.logical_not();
    start_BT = start_BT.masked_fill(padding, kHiddenScore);
    end_BT = end_BT.masked_fill(padding, kHiddenScore);
  }
  return {start_BT, end_BT};
}

at::Tensor head_dropout(const at::Tensor& pooled, double dropout, PhiloxKey pass) {
  return philox_dropout(pooled, dropout, site_key(pass, kHeadSite));
}

}  // namespace rethink
