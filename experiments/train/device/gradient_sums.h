// Sums of the gradients of a step's batches on a GPU, with few operators.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "experiments/train/optimizer.h"

namespace rethink {

class Bfloat16Weights;

/// The sums equal those of autograd bit by bit: each batch's whole gradient is computed first, then
/// added in float32.
class GradientSums {
 public:
  /// `weights` may be null.
  GradientSums(const NamedTensors& parameters, Bfloat16Weights* weights)
      : parameters_(parameters), weights_(weights) {}

  /// Takes the gradients of the backward pass over one batch.
  void add_batch();
  /// Stores the sums as the parameters' gradients.
  void finish();

 private:
  const NamedTensors& parameters_;
  Bfloat16Weights* const weights_;
  std::vector<at::Tensor> sums_;  // float32; undefined where there is no gradient
};

}  // namespace rethink
