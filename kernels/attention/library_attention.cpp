#include "kernels/attention/library_attention.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace rethink {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr int64_t kWidthMultiple = 8, kBiasRowMultiple = 16;  // elements
constexpr uintptr_t kAlignment = 16;                          // bytes

int64_t rounded_up(int64_t size, int64_t multiple) {
  return (size + multiple - 1) / multiple * multiple;
}

bool is_aligned(const at::Tensor& tensor) {
  if (tensor.stride(3) != 1 || tensor.size(3) % kWidthMultiple != 0) return false;
  for (int64_t dim = 0; dim < 3; ++dim) {
    const bool counts =
        tensor.size(dim) > 1 || dim == 2;  // the kernel reads the stride of a single token, too
    if (counts && tensor.stride(dim) % kWidthMultiple != 0) return false;
  }
  const int64_t bytes = tensor.storage_offset() * static_cast<int64_t>(tensor.element_size());
  return static_cast<uintptr_t>(bytes) % kAlignment == 0;  // storages are aligned
}

/// Returns [B,H,T,E] with E rounded up and filled with zeros, or the tensor itself if the kernel
/// accepts it.
at::Tensor widened_heads(const at::Tensor& tensor) {
  const int64_t width = tensor.size(3), more = rounded_up(width, kWidthMultiple) - width;
  if (more > 0) return at::constant_pad_nd(tensor, {0, more});
  return is_aligned(tensor) ? tensor : tensor.clone(at::MemoryFormat::Contiguous);
}

at::Tensor narrowed_heads(const at::Tensor& tensor, int64_t width) {
  return tensor.size(3) == width ? tensor : tensor.narrow(3, 0, width);
}

/// Returns whether two tensors are the same part of the same memory.
bool are_same(const at::Tensor& a, const at::Tensor& b) {
  if (a.defined() != b.defined()) return false;
  return !a.defined() ||
         (a.is_alias_of(b) && a.storage_offset() == b.storage_offset() && a.sizes() == b.sizes() &&
          a.strides() == b.strides() && a.scalar_type() == b.scalar_type());
}

/// Version counters of padding, mask and bias.
std::array<int64_t, 3> versions_of(const AttentionOptions& options) {
  const auto version = [](const at::Tensor& tensor) {
    return tensor.defined() ? static_cast<int64_t>(tensor._version()) : 0;
  };
  return {version(options.key_keep), version(options.mask), version(options.bias)};
}

/// Numbers that are added to the scores: the bias, and -inf for hidden keys.
struct AddedScores {
  AttentionOptions of;  // options from which it was made
  std::array<int64_t, 3> versions = {};
  at::ScalarType dtype = at::kFloat;
  int64_t queries = 0, keys = 0;
  bool causal = false;
  at::Tensor scores;  // [1|B,1|H,1|Q,K]; undefined = nothing to add
};

bool is_made_from(const AddedScores& made, const AddedScores& wanted) {
  return made.dtype == wanted.dtype && made.queries == wanted.queries && made.keys == wanted.keys &&
         made.causal == wanted.causal && made.versions == wanted.versions &&
         made.of.diagonal_masked == wanted.of.diagonal_masked &&
         are_same(made.of.key_keep, wanted.of.key_keep) && are_same(made.of.mask, wanted.of.mask) &&
         are_same(made.of.bias, wanted.of.bias);
}

/// Returns zeros [sizes] whose rows have memory up to the next multiple, which the kernel reads.
at::Tensor rows_with_room(at::IntArrayRef sizes, const at::TensorOptions& options) {
  std::vector<int64_t> whole = sizes.vec();
  whole.back() = rounded_up(whole.back(), kBiasRowMultiple);
  return at::zeros(whole, options).narrow(-1, 0, sizes.back());
}

/// Returns bool, true for visible keys. Padding alone needs only one row for all queries.
at::Tensor visible_part(const AddedScores& wanted, at::Device device) {
  AttentionOptions part = wanted.of;
  part.causal = wanted.causal;
  if (part.causal || part.mask.defined() || part.diagonal_masked)
    return visible_keys(wanted.queries, wanted.keys, device, part);
  return part.key_keep.view({-1, 1, 1, wanted.keys});
}

void make_scores(AddedScores& wanted, const at::TensorOptions& options) {
  const bool hides = wanted.causal || wanted.of.diagonal_masked || wanted.of.mask.defined() ||
                     wanted.of.key_keep.defined();
  const at::Tensor& bias = wanted.of.bias;
  if (!hides && !bias.defined()) return;
  const at::Tensor visible = hides ? visible_part(wanted, options.device()) : at::Tensor();
  std::vector<int64_t> sizes{1, 1, 1, wanted.keys};
  if (hides) sizes = visible.sizes().vec();
  if (bias.defined()) sizes = at::infer_size(sizes, bias.unsqueeze(0).sizes());
  wanted.scores = rows_with_room(sizes, options);
  if (bias.defined()) wanted.scores.copy_(bias.detach().unsqueeze(0).expand(sizes));
  if (hides)
    wanted.scores.masked_fill_(visible.logical_not(), -std::numeric_limits<double>::infinity());
}

/// Returns the numbers that are added to the scores. Consecutive calls with the same masks, padding
/// and bias, such as a model's layers, share them. The original tensors are kept, so that no other
/// tensor gets their memory.
at::Tensor added_scores(const at::Tensor& query, int64_t keys, const AttentionOptions& options,
                        bool causal) {
  thread_local AddedScores newest;
  AddedScores wanted{.of = options,
                     .versions = versions_of(options),
                     .dtype = query.scalar_type(),
                     .queries = query.size(2),
                     .keys = keys,
                     .causal = causal,
                     .scores = {}};
  if (options.bias.defined()) wanted.of.bias = options.bias.detach();  // without its graph
  if (!is_made_from(newest, wanted)) {
    make_scores(wanted, query.options());
    newest = wanted;
  }
  if (!newest.scores.defined()) return newest.scores;
  return newest.scores.expand({query.size(0), query.size(1), query.size(2), keys});
}

/// A call in the form of the operator.
struct LibraryCall {
  at::Tensor query, key, value, bias;
  bool causal = false;
  double scale = 1.0, dropout = 0.0;
};

/// `bias_grad` says whether the gradient of the bias is needed. The backward kernel skips blocks above
/// a causal diagonal and leaves their part of this gradient unwritten. If the added scores hide these
/// keys instead, this part gets zeros.
LibraryCall library_call(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                         const AttentionOptions& options, bool bias_grad) {
  const bool folded = options.causal && (bias_grad || options.diagonal_masked);
  return {widened_heads(query),
          widened_heads(key),
          widened_heads(value),
          added_scores(query, key.size(2), options, folded),
          options.causal && !bias_grad,
          options.scale,
          options.dropout};
}

auto forward_of(const LibraryCall& call, bool log_sum_exp) {
  return at::_scaled_dot_product_efficient_attention(
      call.query, call.key, call.value,
      call.bias.defined() ? std::optional(call.bias) : std::nullopt, log_sum_exp, call.dropout,
      call.causal, call.scale);
}

struct LibraryAttend : torch::autograd::Function<LibraryAttend> {
  /// The bias is an argument because autograd differentiates only arguments.
  static at::Tensor forward(AutogradContext* context, const at::Tensor& query,
                            const at::Tensor& key, const at::Tensor& value,
                            const std::optional<at::Tensor>& bias,
                            const AttentionOptions& options) {
    const at::AutoDispatchBelowADInplaceOrView below;
    const bool bias_grad = bias && bias->requires_grad();
    const LibraryCall call = library_call(query, key, value, options, bias_grad);
    const auto [output, log_sum_exp, seed, offset] = forward_of(call, /*log_sum_exp=*/true);
    context->save_for_backward(
        {call.query, call.key, call.value, call.bias, output, log_sum_exp, seed, offset});
    context->saved_data["width"] = query.size(3);
    context->saved_data["causal"] = call.causal;
    context->saved_data["scale"] = call.scale;
    context->saved_data["dropout"] = call.dropout;
    context->saved_data["bias_heads"] = bias ? bias->size(0) : 0;
    return narrowed_heads(output, query.size(3));
  }

  static variable_list backward(AutogradContext* context, variable_list grads) {
    TORCH_CHECK(!at::GradMode::is_enabled(), "attention has no second derivative");
    const auto saved = context->get_saved_variables();
    auto& data = context->saved_data;
    const int64_t width = data["width"].toInt(), bias_heads = data["bias_heads"].toInt();
    const bool bias_grad = bias_heads > 0 && context->needs_input_grad(3);
    const auto [query, key, value, bias] = at::_scaled_dot_product_efficient_attention_backward(
        widened_heads(grads[0]), saved[0], saved[1], saved[2], saved[3], saved[4], saved[5],
        saved[6], saved[7], data["dropout"].toDouble(), {true, true, true, bias_grad},
        data["causal"].toBool(), data["scale"].toDouble());
    at::Tensor bias_sum;
    if (bias_grad) {
      bias_sum = bias_heads == 1
                     ? bias.sum(at::IntArrayRef{0, 1}, /*keepdim=*/false, at::kFloat).unsqueeze(0)
                     : bias.sum(at::IntArrayRef{0}, /*keepdim=*/false, at::kFloat);
    }
    return {narrowed_heads(query, width),
            narrowed_heads(key, width),
            narrowed_heads(value, width),
            bias_sum,
            {}};
  }
};

}  // namespace

at::Tensor library_attention(const at::Tensor& query, const at::Tensor& key,
                             const at::Tensor& value, const AttentionOptions& options) {
  const bool differentiate =
      at::GradMode::is_enabled() &&
      (query.requires_grad() || key.requires_grad() || value.requires_grad() ||
       (options.bias.defined() && options.bias.requires_grad()));
  if (differentiate) {
    return LibraryAttend::apply(query, key, value,
                                options.bias.defined() ? std::optional(options.bias) : std::nullopt,
                                options);
  }
  const at::AutoDispatchBelowADInplaceOrView below;
  const LibraryCall call = library_call(query, key, value, options, /*bias_grad=*/false);
  return narrowed_heads(std::get<0>(forward_of(call, /*log_sum_exp=*/false)), query.size(3));
}

}  // namespace rethink
