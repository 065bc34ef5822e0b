// bfloat16 copies of a model's linear weights on a GPU, kept from pass to pass. Autocast copies
// each weight in every pass, by one operator per weight and one more per gradient. The bits are
// equal.
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace rethink {

/// While an object of this class exists, linear layers of its thread use its copies if autocast is
/// on.
class Bfloat16Weights {
 public:
  /// Copies weights and biases of the model's layers that have both, if they are in `parameters`.
  /// `parameters` are float32 on a GPU. A weight that an embedding also reads gets no copy, and
  /// neither does its bias.
  Bfloat16Weights(const torch::nn::Module& model, const std::vector<at::Tensor>& parameters);
  ~Bfloat16Weights();
  Bfloat16Weights(const Bfloat16Weights&) = delete;
  Bfloat16Weights& operator=(const Bfloat16Weights&) = delete;

  /// Copies all weights again after an update, by one operator.
  void refresh();

  /// Returns pairs of a weight and the gradient that passes have added up at its copy since the
  /// last call. The gradient is bfloat16 and has the weight's shape.
  std::vector<std::pair<at::Tensor, at::Tensor>> take_gradients();

 private:
  friend at::Tensor linear_weight(const at::Tensor& weight);
  friend at::Tensor joined_linear_weights(const std::vector<at::Tensor>& weights);

  struct Rows {  // position of a weight in a copy
    at::Tensor weight;
    size_t copy = 0;
    int64_t begin = 0;
    int64_t version = 0;  // the weight's version when it was copied
  };
  at::Tensor rows_of(const at::Tensor& tensor, const Rows& rows) const;
  Rows* find(const at::Tensor& weight);
  at::Tensor current_copy(Rows& rows);
  at::Tensor joined_copy(const std::vector<at::Tensor>& weights);

  std::vector<at::Tensor> copies_;  // leaves of autograd; some join the rows of several weights
  std::vector<Rows> rows_;
  std::unordered_map<const void*, size_t> by_weight_;
};

/// Returns the weight's copy if there is a copy and autocast is on, else the weight.
at::Tensor linear_weight(const at::Tensor& weight);
/// Returns the same for several weights, one below the other. A pass that reads the joined copy must not also read one
/// of these weights alone.
at::Tensor joined_linear_weights(const std::vector<at::Tensor>& weights);

}  // namespace rethink
