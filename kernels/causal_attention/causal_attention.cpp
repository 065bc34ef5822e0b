#include "kernels/causal_attention/causal_attention.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include "kernels/causal_attention/causal_attention_ops.h"

namespace rethink {
namespace {

constexpr int64_t kMaxWidth = 512;

void check(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
           const CausalAttentionOptions& options) {
  TORCH_CHECK(query.dim() == 4, "query must be [B,H,T,E], got ", query.sizes());
  TORCH_CHECK(key.sizes() == query.sizes(), "key must be as query, ", query.sizes(), ", got ",
              key.sizes());
  TORCH_CHECK(value.sizes() == query.sizes(), "value must be as query, ", query.sizes(), ", got ",
              value.sizes());
  const int64_t width = query.size(3);
  TORCH_CHECK(width >= 1 && width <= kMaxWidth, "head width must be 1 to ", kMaxWidth, ", got ",
              width);
  const auto dtype = query.scalar_type();
  TORCH_CHECK(dtype == at::kFloat || dtype == at::kDouble || dtype == at::kBFloat16,
              "query must be float32, float64 or bfloat16, got ", dtype);
  TORCH_CHECK(key.scalar_type() == dtype && value.scalar_type() == dtype, "key and value must be ",
              dtype, " as query, got ", key.scalar_type(), " and ", value.scalar_type());
  TORCH_CHECK(key.device() == query.device() && value.device() == query.device(),
              "key and value must be on ", query.device(), " as query, got ", key.device(), " and ",
              value.device());
  TORCH_CHECK(options.dropout >= 0 && options.dropout < 1, "dropout must be in [0, 1), got ",
              options.dropout);
}

template <typename Signature>
c10::TypedOperatorHandle<Signature> find_operator(const char* name) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, "").typed<Signature>();
}

std::tuple<at::Tensor, at::Tensor> forward_of(const at::Tensor& query, const at::Tensor& key,
                                              const at::Tensor& value,
                                              const CausalAttentionOptions& options) {
  static const auto forward =
      find_operator<CausalAttentionForward>("rethink::causal_attention_forward");
  return forward.call(query, key, value, options.scale, options.diagonal_rate,
                      options.diagonal_masked, options.dropout, static_cast<int64_t>(options.seed),
                      static_cast<int64_t>(options.offset));
}

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct CausalAttention : torch::autograd::Function<CausalAttention> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& query,
                            const at::Tensor& key, const at::Tensor& value,
                            const CausalAttentionOptions& options) {
    at::AutoDispatchBelowADInplaceOrView below;
    const auto [output, logsumexp] = forward_of(query, key, value, options);
    context->save_for_backward({query, key, value, output, logsumexp});
    context->saved_data["scale"] = options.scale;
    context->saved_data["diagonal_rate"] = options.diagonal_rate;
    context->saved_data["diagonal_masked"] = options.diagonal_masked;
    context->saved_data["dropout"] = options.dropout;
    context->saved_data["seed"] = static_cast<int64_t>(options.seed);
    context->saved_data["offset"] = static_cast<int64_t>(options.offset);
    return output;
  }

  static variable_list backward(AutogradContext* context, variable_list grads) {
    static const auto backward =
        find_operator<CausalAttentionBackward>("rethink::causal_attention_backward");
    TORCH_CHECK(!at::GradMode::is_enabled(), "causal_attention has no second derivative");
    const auto saved = context->get_saved_variables();
    auto& data = context->saved_data;
    const auto [query, key, value] = backward.call(
        grads[0], saved[0], saved[1], saved[2], saved[3], saved[4], data["scale"].toDouble(),
        data["diagonal_rate"].toDouble(), data["diagonal_masked"].toBool(),
        data["dropout"].toDouble(), data["seed"].toInt(), data["offset"].toInt());
    return {query, key, value, {}};
  }
};

TORCH_LIBRARY_FRAGMENT(rethink, m) {
  m.def(
      "causal_attention_forward(Tensor query, Tensor key, Tensor value, float scale, float "
      "diagonal_rate, bool diagonal_masked, float dropout, int seed, int offset) -> (Tensor "
      "output, Tensor logsumexp)");
  m.def(
      "causal_attention_backward(Tensor grad, Tensor query, Tensor key, Tensor value, Tensor "
      "output, Tensor logsumexp, float scale, float diagonal_rate, bool diagonal_masked, float "
      "dropout, int seed, int offset) -> (Tensor query, Tensor key, Tensor value)");
}

}  // namespace

at::Tensor causal_attention(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                            const CausalAttentionOptions& options) {
  check(query, key, value, options);
  const bool differentiate =
      at::GradMode::is_enabled() &&
      (query.requires_grad() || key.requires_grad() || value.requires_grad());
  if (differentiate) return CausalAttention::apply(query, key, value, options);
  at::AutoDispatchBelowADInplaceOrView below;
  return std::get<0>(forward_of(query, key, value, options));
}

}  // namespace rethink
