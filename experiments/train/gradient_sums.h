// Gradients of a step's batches on a GPU, added in few operators.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "experiments/train/optimizer.h"

namespace rethink {

class Bfloat16Weights;

/// The sums are those that autograd itself would come to, bit for bit: of each batch the whole gradient first, in
/// float32.
class GradientSums {
 public:
  /// `weights` may be null.
  GradientSums(const NamedTensors& parameters, Bfloat16Weights* weights)
      : parameters_(parameters), weights_(weights) {}

  /// Takes the gradients of the backward pass over one batch.
  void add_batch();
  /// Leaves the sums as the parameters' gradients.
  void finish();

 private:
  const NamedTensors& parameters_;
  Bfloat16Weights* const weights_;
  std::vector<at::Tensor> sums_;  // float32; undefined where there is no gradient
};

}  // namespace rethink
