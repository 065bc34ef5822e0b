// The state and the update that Adam and AdamW share: LibTorch's fused kernels, one pass over each
// parameter.
#pragma once

#include <string>
#include <vector>

#include "experiments/train/optimizer.h"

namespace rethink {

struct FusedAdamOptions {
  double lr = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0.0;
  bool amsgrad = false;
  bool decoupled = false;     // AdamW: decay acts on the weight, not through the gradient
  bool decay_vectors = true;  // biases and norms decay too
};

class FusedAdam : public Optimizer {
 public:
  FusedAdam(const FusedAdamOptions& options, const std::vector<ParameterGroup>& groups);
  void step(double factor) override;
  double learning_rate() const override { return options_.lr; }
  void visit(State& state) override;

 private:
  /// State of one parameter. All parameters live as long as the optimizer.
  struct Slot {
    std::string name;
    at::Tensor parameter, mean, square, largest_square, steps;
    double lr = 0.0, weight_decay = 0.0;
  };
  void update(const std::vector<const Slot*>& slots, double lr, double weight_decay);

  const FusedAdamOptions options_;
  std::vector<Slot> slots_;
};

}  // namespace rethink
