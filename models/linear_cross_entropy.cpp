#include "models/linear_cross_entropy.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

namespace rethink {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr int64_t kChunkElements =
    1 << 20;                         // of logits: 4 MB, twice, fit a core's share of the last cache
constexpr int64_t kFewestRows = 32;  // below, the matrix products lose more than the cache gains
constexpr int64_t kChunkElementsOfDevice = 1 << 26;

int64_t rows_of_chunk(const at::Tensor& hidden, int64_t words) {
  const int64_t elements = hidden.is_cpu() ? kChunkElements : kChunkElementsOfDevice;
  return std::min(hidden.size(0), std::max(kFewestRows, elements / words));
}

struct LinearCrossEntropy : torch::autograd::Function<LinearCrossEntropy> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& hidden,
                            const at::Tensor& weight, const at::Tensor& bias,
                            const at::Tensor& targets) {
    const at::AutoDispatchBelowADInplaceOrView below_autograd;
    const int64_t chunk = rows_of_chunk(hidden, weight.size(0));
    at::Tensor logits = at::empty({chunk, weight.size(0)}, hidden.options());
    at::Tensor scores = at::empty_like(logits);
    at::Tensor hidden_gradient = at::empty_like(hidden);
    at::Tensor weight_gradient = at::zeros_like(weight), bias_gradient = at::zeros_like(bias);
    at::Tensor sum = at::zeros({}, hidden.options().dtype(at::kDouble));
    for (int64_t start = 0; start < hidden.size(0); start += chunk) {
      const int64_t rows = std::min(chunk, hidden.size(0) - start);
      const at::Tensor hidden_RD = hidden.narrow(0, start, rows);
      const at::Tensor target_R1 = targets.narrow(0, start, rows).unsqueeze(1);
      at::Tensor logits_RV = logits.narrow(0, 0, rows), scores_RV = scores.narrow(0, 0, rows);
      at::addmm_out(logits_RV, bias, hidden_RD, weight.t());
      at::_log_softmax_out(scores_RV, logits_RV, 1, /*half_to_float=*/false);
      sum.sub_(scores_RV.gather(1, target_R1).sum(at::kDouble));
      at::Tensor gradient_RV = scores_RV.exp_();
      gradient_RV.scatter_(1, target_R1, gradient_RV.gather(1, target_R1) - 1);
      at::Tensor hidden_gradient_RD = hidden_gradient.narrow(0, start, rows);
      at::mm_out(hidden_gradient_RD, gradient_RV, weight);
      weight_gradient.addmm_(gradient_RV.t(), hidden_RD);
      bias_gradient.add_(gradient_RV.sum(0));
    }
    context->saved_data["hidden"] = hidden_gradient;
    context->saved_data["weight"] = weight_gradient;
    context->saved_data["bias"] = bias_gradient;
    return sum.to(hidden.scalar_type());
  }

  static variable_list backward(AutogradContext* context, const variable_list& outer) {
    variable_list gradients;
    for (const char* name : {"hidden", "weight", "bias"}) {
      gradients.push_back(context->saved_data[name].toTensor() * outer[0]);
    }
    gradients.emplace_back();
    return gradients;
  }
};

}  // namespace

at::Tensor linear_cross_entropy_sum(const at::Tensor& hidden, const at::Tensor& weight,
                                    const at::Tensor& bias, const at::Tensor& targets) {
  return LinearCrossEntropy::apply(hidden, weight, bias, targets);
}

}  // namespace rethink
