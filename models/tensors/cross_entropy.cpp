#include "models/tensors/cross_entropy.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "kernels/cross_entropy/cross_entropy.h"
#include "models/tensors/linear.h"
#include "models/tensors/precision.h"

namespace rethink {

at::Tensor cross_entropy(const at::Tensor& logits, const at::Tensor& targets,
                         at::Reduction::Reduction reduction, int64_t ignored,
                         double label_smoothing) {
  return at::cross_entropy_loss(widened(logits), targets, {}, reduction, ignored, label_smoothing);
}

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr int64_t kChunkElements = 1 << 22;  // of logits: 16 MB, a share of the last cache
constexpr int64_t kChunkElementsOfDevice = 1 << 26;

/// Returns the rows of a chunk, so that all chunks have nearly equal sizes.
int64_t rows_of_chunk(const at::Tensor& hidden, int64_t words) {
  const int64_t elements = hidden.is_cpu() ? kChunkElements : kChunkElementsOfDevice;
  const int64_t rows = std::max<int64_t>(1, hidden.size(0));
  const int64_t chunks = (rows * words + elements - 1) / elements;
  return (rows + chunks - 1) / chunks;
}

/// Returns the losses of the rows, and overwrites the logits by the gradient of their sum.
at::Tensor losses_and_gradient(at::Tensor& logits, const at::Tensor& targets) {
  if (logits.is_cpu()) return cross_entropy_gradient_(logits, targets);
  const at::Tensor scores = at::log_softmax(logits, 1), target_R1 = targets.unsqueeze(1);
  const at::Tensor losses = -scores.gather(1, target_R1).squeeze(1);
  at::exp_out(logits, scores);
  logits.scatter_add_(1, target_R1, at::full_like(losses, -1.0).unsqueeze(1));
  return losses;
}

struct LinearCrossEntropy : torch::autograd::Function<LinearCrossEntropy> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& hidden,
                            const at::Tensor& weight, const at::Tensor& bias,
                            const at::Tensor& targets) {
    const at::AutoDispatchBelowADInplaceOrView below_autograd;
    const int64_t chunk = rows_of_chunk(hidden, weight.size(0));
    at::Tensor hidden_gradient = at::empty_like(hidden);
    at::Tensor weight_gradient, bias_gradient;
    at::Tensor sum = at::zeros({}, hidden.options().dtype(at::kDouble));
    for (int64_t start = 0; start < hidden.size(0); start += chunk) {
      const int64_t rows = std::min(chunk, hidden.size(0) - start);
      const at::Tensor hidden_RD = hidden.narrow(0, start, rows);
      at::Tensor gradient_RV = product(hidden_RD, weight, bias);
      sum.add_(losses_and_gradient(gradient_RV, targets.narrow(0, start, rows)).sum(at::kDouble));
      hidden_gradient.narrow(0, start, rows).copy_(product(gradient_RV, weight.t()));
      const at::Tensor weight_part = product(gradient_RV.t(), hidden_RD.t());
      const at::Tensor bias_part = gradient_RV.sum(0);
      weight_gradient = start == 0 ? weight_part : weight_gradient.add_(weight_part);
      bias_gradient = start == 0 ? bias_part : bias_gradient.add_(bias_part);
    }
    if (!weight_gradient.defined()) {
      weight_gradient = at::zeros_like(weight);
      bias_gradient = at::zeros_like(bias);
    }
    context->saved_data["hidden"] = hidden_gradient;
    context->saved_data["weight"] = weight_gradient;
    context->saved_data["bias"] = bias_gradient;
    return sum.to(hidden.scalar_type());
  }

  static variable_list backward(AutogradContext* context, const variable_list& outer) {
    auto& saved = context->saved_data;
    TORCH_CHECK(!saved.empty(), "linear_cross_entropy_sum goes backward once");
    variable_list gradients;
    for (const char* name : {"hidden", "weight", "bias"}) {
      gradients.push_back(saved[name].toTensor().mul_(outer[0]));
    }
    gradients.emplace_back();
    saved.clear();
    return gradients;
  }
};

}  // namespace

at::Tensor linear_cross_entropy_sum(const at::Tensor& hidden, const at::Tensor& weight,
                                    const at::Tensor& bias, const at::Tensor& targets) {
  return LinearCrossEntropy::apply(hidden, weight, bias, targets);
}

}  // namespace rethink
