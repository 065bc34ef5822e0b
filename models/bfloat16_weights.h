// Copies in bfloat16 of a model's linear weights on a GPU, which outlast a pass. Autocast makes them anew in each
// pass, an operator for each, and an operator more for each of their gradients. The bits are autocast's.
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace rethink {

/// While it lives, linear layers of this thread compute with its copies where autocast is on.
class Bfloat16Weights {
 public:
  /// Of the model's layers with a weight and a bias, those of `parameters`: float32 on a GPU. A weight
  /// that an embedding reads too has no copy, nor has its bias.
  Bfloat16Weights(const torch::nn::Module& model, const std::vector<at::Tensor>& parameters);
  ~Bfloat16Weights();
  Bfloat16Weights(const Bfloat16Weights&) = delete;
  Bfloat16Weights& operator=(const Bfloat16Weights&) = delete;

  /// Copies all weights anew, after an update: one operator.
  void refresh();

  /// The gradients that passes left at the copies since the last call, each with its weight: bfloat16, as
  /// large as the weight.
  std::vector<std::pair<at::Tensor, at::Tensor>> take_gradients();

 private:
  friend at::Tensor linear_weight(const at::Tensor& weight);
  friend at::Tensor joined_linear_weights(const std::vector<at::Tensor>& weights);

  struct Rows {  // of a copy
    at::Tensor weight;
    size_t copy = 0;
    int64_t begin = 0;
    int64_t version = 0;  // of the weight when it was copied
  };
  at::Tensor rows_of(const at::Tensor& tensor, const Rows& rows) const;
  Rows* find(const at::Tensor& weight);
  at::Tensor current_copy(Rows& rows);
  at::Tensor joined_copy(const std::vector<at::Tensor>& weights);

  std::vector<at::Tensor> copies_;  // leaves of autograd; some join the rows of several weights
  std::vector<Rows> rows_;
  std::unordered_map<const void*, size_t> by_weight_;
};

/// What a linear layer multiplies with: the weight's copy, where there is one and autocast is on, else the
/// weight.
at::Tensor linear_weight(const at::Tensor& weight);
/// The same of several weights, one below the other. A pass that reads them so reads none of them by itself.
at::Tensor joined_linear_weights(const std::vector<at::Tensor>& weights);

}  // namespace rethink
