#include "models/tensors/bfloat16_weights.h"

#include <ATen/ATen.h>

#include <set>

#include "models/tensors/bfloat16_states.h"

namespace rethink {
namespace {

thread_local Bfloat16Weights* weights_in_use = nullptr;

at::Tensor new_copy(const at::Tensor& numbers) {
  return numbers.detach().to(at::kBFloat16).requires_grad_();
}

}  // namespace

Bfloat16Weights::Bfloat16Weights(const torch::nn::Module& model,
                                 const std::vector<at::Tensor>& parameters) {
  TORCH_CHECK(weights_in_use == nullptr, "there are bfloat16 weights already");
  std::set<const void*> trained;
  for (const at::Tensor& parameter : parameters) trained.insert(parameter.unsafeGetTensorImpl());
  for (const auto& module : model.modules(/*include_self=*/false)) {
    const auto own = module->named_parameters(/*recurse=*/false);
    const at::Tensor *weight = own.find("weight"), *bias = own.find("bias");
    if (!weight || !bias || weight->dim() != 2) continue;
    for (const at::Tensor* tensor : {weight, bias}) {
      if (!tensor->is_cuda() || tensor->scalar_type() != at::kFloat ||
          !trained.contains(tensor->unsafeGetTensorImpl()))
        continue;
      if (!by_weight_.try_emplace(tensor->unsafeGetTensorImpl(), rows_.size()).second) continue;
      rows_.push_back({*tensor, copies_.size(), 0, tensor->_version()});
      copies_.push_back(new_copy(*tensor));
    }
  }
  weights_in_use = this;
}

Bfloat16Weights::~Bfloat16Weights() {
  weights_in_use = nullptr;
}

at::Tensor Bfloat16Weights::rows_of(const at::Tensor& tensor, const Rows& rows) const {
  const int64_t count = rows.weight.size(0);
  return count == tensor.size(0) ? tensor : tensor.slice(0, rows.begin, rows.begin + count);
}

void Bfloat16Weights::refresh() {
  if (rows_.empty()) return;
  const at::NoGradGuard no_gradient;
  std::vector<at::Tensor> into, from;
  for (Rows& rows : rows_) {
    into.push_back(rows_of(copies_[rows.copy], rows));
    from.push_back(rows.weight);
    rows.version = rows.weight._version();
  }
  at::_foreach_copy_(into, from);
}

std::vector<std::pair<at::Tensor, at::Tensor>> Bfloat16Weights::take_gradients() {
  std::vector<std::pair<at::Tensor, at::Tensor>> taken;
  for (const Rows& rows : rows_) {
    const at::Tensor& gradient = copies_[rows.copy].grad();
    if (gradient.defined()) taken.emplace_back(rows.weight, rows_of(gradient, rows));
  }
  for (at::Tensor& copy : copies_) {
    if (copy.defined()) copy.mutable_grad().reset();
  }
  return taken;
}

Bfloat16Weights::Rows* Bfloat16Weights::find(const at::Tensor& weight) {
  const auto found = by_weight_.find(weight.unsafeGetTensorImpl());
  return found == by_weight_.end() ? nullptr : &rows_[found->second];
}

/// The weight's version shows whether other code has written to it.
at::Tensor Bfloat16Weights::current_copy(Rows& rows) {
  if (rows.version != rows.weight._version()) {
    const at::NoGradGuard no_gradient;
    rows_of(copies_[rows.copy], rows).copy_(rows.weight);
    rows.version = rows.weight._version();
  }
  return rows_of(copies_[rows.copy], rows);
}

at::Tensor Bfloat16Weights::joined_copy(const std::vector<at::Tensor>& weights) {
  std::vector<Rows*> parts;
  std::vector<at::Tensor> copies;
  int64_t rows = 0;
  bool is_joined = true;
  for (const at::Tensor& weight : weights) {
    Rows* const part = find(weight);
    if (!part) return {};
    copies.push_back(current_copy(*part));
    is_joined =
        is_joined && part->begin == rows && (parts.empty() || part->copy == parts.front()->copy);
    parts.push_back(part);
    rows += weight.size(0);
  }
  const size_t copy = parts.front()->copy;
  if (is_joined && copies_[copy].size(0) == rows) return copies_[copy];
  // The first pass: from now on these weights share one copy.
  copies_[copy] = new_copy(at::cat(copies));
  rows = 0;
  for (Rows* const part : parts) {
    if (part->copy != copy) copies_[part->copy].reset();
    part->copy = copy;
    part->begin = rows;
    rows += part->weight.size(0);
  }
  return copies_[copy];
}

at::Tensor linear_weight(const at::Tensor& weight) {
  if (!weights_in_use || !weight.defined() || !casts_to_bfloat16_on_gpu()) return weight;
  Bfloat16Weights::Rows* const rows = weights_in_use->find(weight);
  return rows ? weights_in_use->current_copy(*rows) : weight;
}

at::Tensor joined_linear_weights(const std::vector<at::Tensor>& weights) {
  const at::Tensor copy = weights_in_use && casts_to_bfloat16_on_gpu()
                              ? weights_in_use->joined_copy(weights)
                              : at::Tensor();
  return copy.defined() ? copy : at::cat(weights);
}

}  // namespace rethink
