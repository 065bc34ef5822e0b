#include "kernels/attention/attention.h"

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include "kernels/attention/attention_ops.h"

namespace rethink {
namespace {

constexpr int64_t kMaxWidth = 512;

void check_heads(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value) {
  TORCH_CHECK(query.dim() == 4, "query must be [B,H,Q,E], got ", query.sizes());
  const int64_t width = query.size(3);
  TORCH_CHECK(key.dim() == 4 && key.size(0) == query.size(0) && key.size(1) == query.size(1) &&
                  key.size(3) == width,
              "key must be [B,H,K,E] with B, H and E of query, ", query.sizes(), ", got ",
              key.sizes());
  TORCH_CHECK(value.sizes() == key.sizes(), "value must be as key, ", key.sizes(), ", got ",
              value.sizes());
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
}

/// `tensor` is undefined, or [1|H,Q,K] beside the query.
void check_pairs(const char* name, const at::Tensor& tensor, const at::Tensor& query,
                 int64_t keys) {
  if (!tensor.defined()) return;
  TORCH_CHECK(tensor.dim() == 3 && (tensor.size(0) == 1 || tensor.size(0) == query.size(1)) &&
                  tensor.size(1) == query.size(2) && tensor.size(2) == keys,
              name, " must be [1,Q,K] or [H,Q,K] = [", query.size(1), ", ", query.size(2), ", ",
              keys, "], got ", tensor.sizes());
  TORCH_CHECK(tensor.device() == query.device(), name, " must be on ", query.device(),
              " as query, got ", tensor.device());
}

void check_options(const at::Tensor& query, int64_t keys, const AttentionOptions& options) {
  TORCH_CHECK(options.dropout >= 0 && options.dropout < 1, "dropout must be in [0, 1), got ",
              options.dropout);
  TORCH_CHECK(options.query_offset == 0, "query_offset must be 0, got ", options.query_offset);
  const at::Tensor& keep = options.key_keep;
  TORCH_CHECK(!keep.defined() || (keep.scalar_type() == at::kBool && keep.dim() == 2 &&
                                  keep.size(0) == query.size(0) && keep.size(1) == keys),
              "key_keep must be bool [B,K] = [", query.size(0), ", ", keys, "], got ",
              keep.scalar_type(), " ", keep.sizes());
  TORCH_CHECK(!keep.defined() || keep.device() == query.device(), "key_keep must be on ",
              query.device(), " as query, got ", keep.device());
  check_pairs("mask", options.mask, query, keys);
  check_pairs("bias", options.bias, query, keys);
  if (options.mask.defined()) {
    const auto dtype = options.mask.scalar_type();
    TORCH_CHECK(dtype == at::kByte || dtype == at::kBool, "mask must be u8 or bool, got ", dtype);
  }
  TORCH_CHECK(!options.bias.defined() || at::isFloatingType(options.bias.scalar_type()),
              "bias must be floating, got ", options.bias.scalar_type());
}

template <typename Signature>
c10::TypedOperatorHandle<Signature> find_operator(const char* name) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, "").typed<Signature>();
}

MaybeTensor maybe(const at::Tensor& tensor) {
  return tensor.defined() ? MaybeTensor(tensor) : std::nullopt;
}

/// As the operators want it: contiguous and bytes.
AttentionOptions laid_out(AttentionOptions options) {
  if (options.key_keep.defined()) options.key_keep = options.key_keep.contiguous();
  if (options.mask.defined()) options.mask = options.mask.contiguous().view(at::kByte);
  if (options.bias.defined()) options.bias = options.bias.contiguous();
  return options;
}

std::tuple<at::Tensor, at::Tensor> forward_of(const at::Tensor& query, const at::Tensor& key,
                                              const at::Tensor& value,
                                              const AttentionOptions& options) {
  static const auto forward = find_operator<AttentionForward>("rethink::attention_forward");
  return forward.call(query, key, value, maybe(options.key_keep), maybe(options.mask),
                      maybe(options.bias), options.scale, options.causal, options.diagonal_rate,
                      options.diagonal_masked, options.dropout,
                      static_cast<int64_t>(options.random.seed),
                      static_cast<int64_t>(options.random.stream));
}

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct Attend : torch::autograd::Function<Attend> {
  /// The bias stands among the arguments because only they are differentiated.
  static at::Tensor forward(AutogradContext* context, const at::Tensor& query,
                            const at::Tensor& key, const at::Tensor& value,
                            const MaybeTensor& /*of options*/, const AttentionOptions& options) {
    at::AutoDispatchBelowADInplaceOrView below;
    const auto [output, statistics] = forward_of(query, key, value, options);
    context->save_for_backward(
        {query, key, value, output, statistics, options.key_keep, options.mask, options.bias});
    context->saved_data["scale"] = options.scale;
    context->saved_data["causal"] = options.causal;
    context->saved_data["diagonal_rate"] = options.diagonal_rate;
    context->saved_data["diagonal_masked"] = options.diagonal_masked;
    context->saved_data["dropout"] = options.dropout;
    context->saved_data["seed"] = static_cast<int64_t>(options.random.seed);
    context->saved_data["stream"] = static_cast<int64_t>(options.random.stream);
    return output;
  }

  static variable_list backward(AutogradContext* context, variable_list grads) {
    static const auto backward = find_operator<AttentionBackward>("rethink::attention_backward");
    TORCH_CHECK(!at::GradMode::is_enabled(), "attention has no second derivative");
    const auto saved = context->get_saved_variables();
    auto& data = context->saved_data;
    const bool bias_wanted = saved[7].defined() && context->needs_input_grad(3);
    const auto [query, key, value, bias] = backward.call(
        grads[0], saved[0], saved[1], saved[2], saved[3], saved[4], maybe(saved[5]),
        maybe(saved[6]), maybe(saved[7]), bias_wanted, data["scale"].toDouble(),
        data["causal"].toBool(), data["diagonal_rate"].toDouble(), data["diagonal_masked"].toBool(),
        data["dropout"].toDouble(), data["seed"].toInt(), data["stream"].toInt());
    return {query, key, value, bias_wanted ? bias : at::Tensor(), {}};
  }
};

TORCH_LIBRARY_FRAGMENT(rethink, m) {
  m.def(
      "attention_forward(Tensor query, Tensor key, Tensor value, Tensor? key_keep, Tensor? mask, "
      "Tensor? bias, float scale, bool causal, float diagonal_rate, bool diagonal_masked, float "
      "dropout, int seed, int stream) -> (Tensor output, Tensor statistics)");
  m.def(
      "attention_backward(Tensor grad, Tensor query, Tensor key, Tensor value, Tensor output, "
      "Tensor statistics, Tensor? key_keep, Tensor? mask, Tensor? bias, bool bias_grad, float "
      "scale, bool causal, float diagonal_rate, bool diagonal_masked, float dropout, int seed, int "
      "stream) -> (Tensor query, Tensor key, Tensor value, Tensor bias)");
}

/// bool [Q,K]: the key is the query's own token.
at::Tensor own_token(int64_t queries, int64_t keys, int64_t offset, at::Device device) {
  const auto integers = at::TensorOptions(at::kLong).device(device);
  return (at::arange(queries, integers) + offset).unsqueeze(1) ==
         at::arange(keys, integers).unsqueeze(0);
}

}  // namespace

at::Tensor attention(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                     const AttentionOptions& given) {
  check_heads(query, key, value);
  check_options(query, key.size(2), given);
  AttentionOptions options = laid_out(given);
  if (options.bias.defined()) {
    options.bias = options.bias.to(query.scalar_type() == at::kDouble ? at::kDouble : at::kFloat);
  }
  const bool differentiate =
      at::GradMode::is_enabled() &&
      (query.requires_grad() || key.requires_grad() || value.requires_grad() ||
       (options.bias.defined() && options.bias.requires_grad()));
  if (differentiate) return Attend::apply(query, key, value, maybe(options.bias), options);
  at::AutoDispatchBelowADInplaceOrView below;
  return std::get<0>(forward_of(query, key, value, options));
}

at::Tensor visible_keys(int64_t queries, int64_t keys, at::Device device,
                        const AttentionOptions& options) {
  at::Tensor visible = at::ones({1, 1, queries, keys}, at::TensorOptions(at::kBool).device(device));
  if (options.causal) visible = visible.tril(options.query_offset);
  if (options.mask.defined()) visible = visible.logical_and(options.mask.unsqueeze(0));
  if (options.key_keep.defined())
    visible = visible.logical_and(options.key_keep.view({-1, 1, 1, keys}));
  if (!options.diagonal_masked) return visible;
  const at::Tensor others =
      visible.logical_and(own_token(queries, keys, options.query_offset, device).logical_not());
  return at::where(others.any(-1, /*keepdim=*/true), others, visible);
}

at::Tensor visible_softmax(const at::Tensor& scores, const AttentionOptions& options) {
  const at::Tensor hidden =
      visible_keys(scores.size(2), scores.size(3), scores.device(), options).logical_not();
  return scores.masked_fill(hidden, kHiddenScore).softmax(-1).masked_fill(hidden, 0.0);
}

at::Tensor attention_weights(const at::Tensor& query, const at::Tensor& key,
                             const AttentionOptions& options) {
  const int64_t queries = query.size(2), keys = key.size(2);
  at::Tensor scores_BHQK = at::matmul(query, key.transpose(2, 3)) * options.scale;
  if (options.diagonal_rate != 1.0) {
    const at::Tensor own = own_token(queries, keys, options.query_offset, query.device());
    scores_BHQK = at::where(own, scores_BHQK * options.diagonal_rate, scores_BHQK);
  }
  if (options.bias.defined()) scores_BHQK = scores_BHQK + options.bias;
  return visible_softmax(scores_BHQK, options).to(query.scalar_type());
}

}  // namespace rethink
