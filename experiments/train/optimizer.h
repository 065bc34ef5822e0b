// The interface and the registry of optimizers; each is one file in experiments/train/optimizers.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/config/registry.h"

namespace rethink {

class State;

/// Parameters in a fixed order.
using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

/// Parameters with equal settings.
struct ParameterGroup {
  NamedTensors parameters;
  std::optional<double> lr = {};  // own learning rate; none: the optimizer's
  bool decays = true;             // weight decay, if the optimizer has it
};

class Optimizer {
 public:
  virtual ~Optimizer() = default;
  /// Makes one update from the present gradients. Parameters without a gradient stay. The learning
  /// rate is the option's, or the group's own, times `factor`. Never waits for the device.
  virtual void step(double factor) = 0;
  /// Returns the option's learning rate, which a step multiplies by its factor.
  virtual double learning_rate() const = 0;
  virtual void visit(State& state) = 0;
};

using OptimizerRegistry = Registry<Optimizer, NoFields, const std::vector<ParameterGroup>&>;
OptimizerRegistry& optimizers();

/// Returns the norm of all tensors together, float [].
at::Tensor norm_of_all(const std::vector<at::Tensor>& tensors);

/// Returns the norm of all gradients together, float []. Requires: some parameter has a gradient.
at::Tensor gradient_norm(const NamedTensors& parameters);

/// Scales all gradients by min(1, limit / norm), where the norm is taken over all gradients
/// together (Pascanu et al., 2013). Does not wait for the norm. Returns the norm, float [].
at::Tensor clip_gradients(const NamedTensors& parameters, double limit);

}  // namespace rethink
