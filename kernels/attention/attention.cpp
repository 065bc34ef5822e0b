#include "kernels/attention/attention.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include <algorithm>

#include "kernels/attention/attention_heads.h"
#include "kernels/attention/attention_ops.h"
#include "kernels/attention/attention_path.h"
#include "kernels/attention/library_attention.h"
#include "kernels/philox_dropout/keep_rule.h"
#include "kernels/simd/threads.h"

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

/// Requires: `tensor` is undefined, or [1|H,Q,K] for the query.
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

MaybeTensor maybe(const at::Tensor& tensor) {
  return tensor.defined() ? MaybeTensor(tensor) : std::nullopt;
}

/// Returns the options in the form of the operators: contiguous, masks as bytes, and the bias in
/// the dtype of the statistics.
AttentionOptions laid_out(AttentionOptions options, at::ScalarType dtype) {
  if (options.key_keep.defined()) options.key_keep = options.key_keep.contiguous();
  if (options.mask.defined()) options.mask = options.mask.contiguous().view(at::kByte);
  if (options.bias.defined()) {
    options.bias = options.bias.contiguous().to(dtype == at::kDouble ? at::kDouble : at::kFloat);
  }
  return options;
}

HeldRule rule_of(const AttentionOptions& options) {
  const KeepRule keep = keep_rule(options.dropout, options.random);
  return c10::make_intrusive<AttentionRuleHolder>(
      AttentionRule<double>{.scale = options.scale,
                            .causal = options.causal,
                            .diagonal_rate = options.diagonal_rate,
                            .diagonal_masked = options.diagonal_masked,
                            .key = keep.key,
                            .keep_threshold = keep.threshold,
                            .keep_scale = keep.scale});
}

// CPU implementation: threads share the heads, and one core computes a head (forward_head and
// backward_head of attention_isa.cpp). Heads whose bias gradients are summed run on one core in
// order, so that results do not depend on the number of threads.

constexpr int64_t kFewestRuns = 8;  // runs of consecutive heads: work for this many cores

/// Returns the tensor itself if the rows of each head are contiguous, else a copy with contiguous
/// rows.
at::Tensor with_rows(const at::Tensor& tensor) {
  const bool rows = tensor.stride(3) == 1 && tensor.stride(2) >= tensor.size(3);
  return rows ? tensor : tensor.contiguous();
}

template <typename T>
HeadTensor<T> head_of(const at::Tensor& tensor, int64_t head) {
  const int64_t heads = tensor.size(1);
  auto* data = static_cast<std::remove_const_t<T>*>(tensor.data_ptr());
  return {data + head / heads * tensor.stride(0) + head % heads * tensor.stride(1),
          tensor.stride(2)};
}

/// Visible keys of the heads of a call.
class Scopes {
 public:
  Scopes(const at::Tensor& query, const at::Tensor& key, const MaybeTensor& key_keep,
         const MaybeTensor& mask, const MaybeTensor& bias)
      : heads_(query.size(1)),
        pairs_(query.size(2) * key.size(2)),
        key_keep_(key_keep),
        mask_(mask),
        bias_(bias),
        keys_(static_cast<size_t>(query.size(0)), key.size(2)) {
    if (!key_keep) return;
    for (size_t row = 0; row < keys_.size(); ++row) {
      const uint8_t* keep = kept(static_cast<int64_t>(row));
      while (keys_[row] > 0 && keep[keys_[row] - 1] == 0) --keys_[row];
    }
  }

  template <typename T>
  HeadScope<T> of(int64_t head) const {
    const int64_t row = head / heads_;
    return {keys_[static_cast<size_t>(row)], key_keep_ ? kept(row) : nullptr,
            mask_ ? mask_->const_data_ptr<uint8_t>() + at(*mask_, head) : nullptr,
            bias_ ? bias_->const_data_ptr<T>() + at(*bias_, head) : nullptr};
  }

 private:
  const uint8_t* kept(int64_t row) const {
    const auto* keep = static_cast<const uint8_t*>(key_keep_->const_data_ptr());
    return keep + row * key_keep_->size(1);
  }
  int64_t at(const at::Tensor& shared, int64_t head) const {
    return shared.size(0) == 1 ? 0 : head % heads_ * pairs_;
  }

  int64_t heads_, pairs_;
  const MaybeTensor &key_keep_, &mask_, &bias_;
  std::vector<int64_t> keys_;  // [B], number of keys before the final padding
};

/// Calls each(head, run, scratch) for every head of the batch. Run part * H + h has the heads h of
/// one of `parts` parts of the batch, in order.
template <typename T, typename Each>
void over_runs(const at::Tensor& query, int64_t parts, int64_t scratch_elements, const Each& each) {
  const int64_t batch = query.size(0), heads = query.size(1);
  if (query.numel() == 0) return;
  at::parallel_for(0, parts * heads, 1, [&](int64_t begin, int64_t end) {
    T* scratch = thread_scratch<T>(scratch_elements);
    for (int64_t run = begin; run < end; ++run) {
      const int64_t part = run / heads;
      for (int64_t row = part * batch / parts; row < (part + 1) * batch / parts; ++row)
        each(row * heads + run % heads, run, scratch);
    }
  });
}

template <typename T>
void run_forward(const HeadRule& rule, const at::Tensor& query, const at::Tensor& key,
                 const at::Tensor& value, const Scopes& scopes,
                 const std::tuple<at::Tensor, at::Tensor>& results) {
  const auto& [output, statistics] = results;
  T* rows = statistics.data_ptr<T>();
  over_runs<T>(query, query.size(0), head_kernels<T>().forward_scratch(rule),
               [&](int64_t head, int64_t, T* scratch) {
                 const int64_t first_row = head * rule.queries;
                 head_kernels<T>().forward(
                     rule, {head_of<const T>(query, head), head_of<const T>(key, head),
                            head_of<const T>(value, head), head_of<T>(output, head),
                            scopes.of<T>(head), rows + 2 * first_row, first_row, scratch});
               });
}

std::tuple<at::Tensor, at::Tensor> attention_forward_cpu(
    const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
    const MaybeTensor& key_keep, const MaybeTensor& mask, const MaybeTensor& bias,
    const HeldRule& rule) {
  if (query.scalar_type() == at::kBFloat16) {
    auto [output, statistics] = attention_forward_cpu(
        query.to(at::kFloat), key.to(at::kFloat), value.to(at::kFloat), key_keep, mask, bias, rule);
    return {output.to(at::kBFloat16), statistics};
  }
  const HeadRule of_heads{rule->rule, query.size(2), key.size(2), query.size(3)};
  const std::tuple<at::Tensor, at::Tensor> results{
      empty_joined(query),
      at::empty({query.size(0), query.size(1), query.size(2), 2}, query.options())};
  const at::Tensor query_rows = with_rows(query), key_rows = with_rows(key),
                   value_rows = with_rows(value);
  const Scopes scopes(query, key, key_keep, mask, bias);
  if (query.scalar_type() == at::kFloat) {
    run_forward<float>(of_heads, query_rows, key_rows, value_rows, scopes, results);
  } else {
    run_forward<double>(of_heads, query_rows, key_rows, value_rows, scopes, results);
  }
  return results;
}

struct BackwardTensors {
  at::Tensor grad, query, key, value, statistics;
  at::Tensor query_grad, key_grad, value_grad;
  at::Tensor bias_parts;  // [parts,H,Q,K] zeros, or undefined
};

template <typename T>
void run_backward(const HeadRule& rule, const Scopes& scopes, const BackwardTensors& all) {
  const bool bias = all.bias_parts.defined();
  const int64_t parts = bias ? all.bias_parts.size(0) : all.query.size(0);
  T* bias_grad = bias ? all.bias_parts.data_ptr<T>() : nullptr;
  const T* rows = all.statistics.const_data_ptr<T>();
  over_runs<T>(all.query, parts, head_kernels<T>().backward_scratch(rule),
               [&](int64_t head, int64_t run_index, T* scratch) {
                 const int64_t first_row = head * rule.queries;
                 head_kernels<T>().backward(
                     rule,
                     {head_of<const T>(all.grad, head), head_of<const T>(all.query, head),
                      head_of<const T>(all.key, head), head_of<const T>(all.value, head),
                      scopes.of<T>(head), rows + 2 * first_row, head_of<T>(all.query_grad, head),
                      head_of<T>(all.key_grad, head), head_of<T>(all.value_grad, head),
                      bias ? bias_grad + run_index * rule.queries * rule.keys : nullptr, first_row,
                      scratch});
               });
}

/// Each run has its own sum, so that runs need not wait for each other.
at::Tensor bias_parts_for(const at::Tensor& query, const at::Tensor& bias) {
  const int64_t heads = query.size(1);
  const int64_t parts = std::clamp<int64_t>((kFewestRuns + heads - 1) / std::max<int64_t>(heads, 1),
                                            1, std::max<int64_t>(query.size(0), 1));
  return at::zeros({parts, heads, bias.size(1), bias.size(2)}, bias.options());
}

std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor> attention_backward_cpu(
    const at::Tensor& grad, const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
    const at::Tensor& output, const at::Tensor& statistics, const MaybeTensor& key_keep,
    const MaybeTensor& mask, const MaybeTensor& bias, bool bias_grad, const HeldRule& rule) {
  if (query.scalar_type() == at::kBFloat16) {
    auto [query_grad, key_grad, value_grad, bias_sum] = attention_backward_cpu(
        grad.to(at::kFloat), query.to(at::kFloat), key.to(at::kFloat), value.to(at::kFloat), output,
        statistics, key_keep, mask, bias, bias_grad, rule);
    return {query_grad.to(at::kBFloat16), key_grad.to(at::kBFloat16), value_grad.to(at::kBFloat16),
            bias_sum};
  }
  const HeadRule of_heads{rule->rule, query.size(2), key.size(2), query.size(3)};
  const BackwardTensors all{with_rows(grad),
                            with_rows(query),
                            with_rows(key),
                            with_rows(value),
                            statistics,
                            empty_joined(query),
                            empty_joined(key),
                            empty_joined(key),
                            bias_grad ? bias_parts_for(query, *bias) : at::Tensor()};
  const Scopes scopes(query, key, key_keep, mask, bias);
  if (query.scalar_type() == at::kFloat) {
    run_backward<float>(of_heads, scopes, all);
  } else {
    run_backward<double>(of_heads, scopes, all);
  }
  at::Tensor bias_sum = at::empty({0}, query.options());
  if (bias_grad) {
    bias_sum = all.bias_parts.sum(0);
    if (bias->size(0) == 1) bias_sum = bias_sum.sum(0, /*keepdim=*/true);
  }
  return {all.query_grad, all.key_grad, all.value_grad, bias_sum};
}

// For any device: LibTorch's dispatcher finds the implementation, since the GPU's is in a plug-in.

TORCH_LIBRARY_FRAGMENT(rethink, m) {
  m.class_<AttentionRuleHolder>("AttentionRule");
  m.def(
      "attention_forward(Tensor query, Tensor key, Tensor value, Tensor? key_keep, Tensor? mask, "
      "Tensor? bias, __torch__.torch.classes.rethink.AttentionRule rule) -> (Tensor output, Tensor "
      "statistics)");
  m.def(
      "attention_backward(Tensor grad, Tensor query, Tensor key, Tensor value, Tensor output, "
      "Tensor statistics, Tensor? key_keep, Tensor? mask, Tensor? bias, bool bias_grad, "
      "__torch__.torch.classes.rethink.AttentionRule rule) -> (Tensor query, Tensor key, Tensor "
      "value, Tensor bias)");
}

TORCH_LIBRARY_IMPL(rethink, CPU, m) {
  m.impl("attention_forward", attention_forward_cpu);
  m.impl("attention_backward", attention_backward_cpu);
}

template <typename Signature>
c10::TypedOperatorHandle<Signature> find_operator(const char* name) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, "").typed<Signature>();
}

/// Calls attention_forward_cpu, or the forward of attention_cuda.cpp.
std::tuple<at::Tensor, at::Tensor> attention_forward(const at::Tensor& query, const at::Tensor& key,
                                                     const at::Tensor& value,
                                                     const AttentionOptions& options,
                                                     const HeldRule& rule) {
  static const auto forward = find_operator<AttentionForward>("rethink::attention_forward");
  return forward.call(query, key, value, maybe(options.key_keep), maybe(options.mask),
                      maybe(options.bias), rule);
}

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct Attend : torch::autograd::Function<Attend> {
  /// The bias is an argument because autograd differentiates only arguments.
  static at::Tensor forward(AutogradContext* context, const at::Tensor& query,
                            const at::Tensor& key, const at::Tensor& value,
                            const MaybeTensor& /*of options*/, const AttentionOptions& options) {
    at::AutoDispatchBelowADInplaceOrView below;
    const HeldRule rule = rule_of(options);
    const auto [output, statistics] = attention_forward(query, key, value, options, rule);
    context->save_for_backward(
        {query, key, value, output, statistics, options.key_keep, options.mask, options.bias});
    context->saved_data["rule"] = rule;
    return output;
  }

  /// Calls attention_backward_cpu, or the backward of attention_cuda.cpp.
  static variable_list backward(AutogradContext* context, variable_list grads) {
    static const auto backward = find_operator<AttentionBackward>("rethink::attention_backward");
    TORCH_CHECK(!at::GradMode::is_enabled(), "attention has no second derivative");
    const auto saved = context->get_saved_variables();
    const bool bias_wanted = saved[7].defined() && context->needs_input_grad(3);
    const auto [query, key, value, bias] =
        backward.call(grads[0], saved[0], saved[1], saved[2], saved[3], saved[4], maybe(saved[5]),
                      maybe(saved[6]), maybe(saved[7]), bias_wanted,
                      context->saved_data["rule"].toCustomClass<AttentionRuleHolder>());
    return {query, key, value, bias_wanted ? bias : at::Tensor(), {}};
  }
};

/// Returns bool [Q,K], true where the key is the query's own token.
at::Tensor own_token(int64_t queries, int64_t keys, int64_t offset, at::Device device) {
  const auto integers = at::TensorOptions(at::kLong).device(device);
  return (at::arange(queries, integers) + offset).unsqueeze(1) ==
         at::arange(keys, integers).unsqueeze(0);
}

/// Returns the path, and records it.
AttentionPath path_on_gpu(const at::Tensor& query, const at::Tensor& key,
                          const AttentionOptions& options) {
  const AttentionCase call{.is_float32 = query.scalar_type() == at::kFloat,
                           .is_bfloat16 = query.scalar_type() == at::kBFloat16,
                           .batch = query.size(0),
                           .heads = query.size(1),
                           .queries = query.size(2),
                           .keys = key.size(2),
                           .diagonal_rate = options.diagonal_rate,
                           .dropout = options.dropout,
                           .has_bias = options.bias.defined(),
                           .bias_is_exact = options.bias_is_exact};
  const PathReason reason = attention_path_reason(call, preferred_attention());
  note_attention_path(reason);
  return path_of(reason);
}

}  // namespace

at::Tensor attention(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                     const AttentionOptions& given) {
  check_heads(query, key, value);
  check_options(query, key.size(2), given);
  if (query.is_cuda() && path_on_gpu(query, key, given) == AttentionPath::library)
    return library_attention(query, key, value, given);
  const AttentionOptions options = laid_out(given, query.scalar_type());
  const bool differentiate =
      at::GradMode::is_enabled() &&
      (query.requires_grad() || key.requires_grad() || value.requires_grad() ||
       (options.bias.defined() && options.bias.requires_grad()));
  if (differentiate) return Attend::apply(query, key, value, maybe(options.bias), options);
  at::AutoDispatchBelowADInplaceOrView below;
  return std::get<0>(attention_forward(query, key, value, options, rule_of(options)));
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

at::Tensor attention_scores(const at::Tensor& query, const at::Tensor& key,
                            const AttentionOptions& options) {
  const int64_t queries = query.size(2), keys = key.size(2);
  at::Tensor scores_BHQK = at::matmul(query, key.transpose(2, 3)) * options.scale;
  if (options.diagonal_rate != 1.0) {
    const at::Tensor own = own_token(queries, keys, options.query_offset, query.device());
    scores_BHQK = at::where(own, scores_BHQK * options.diagonal_rate, scores_BHQK);
  }
  if (options.bias.defined()) scores_BHQK = scores_BHQK + options.bias;
  return scores_BHQK;
}

at::Tensor attention_weights(const at::Tensor& query, const at::Tensor& key,
                             const AttentionOptions& options) {
  return visible_softmax(attention_scores(query, key, options), options).to(query.scalar_type());
}

}  // namespace rethink
