// Optimizers by name: experiments/train/optimizers, one file each.
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

/// Parameters that are updated alike.
struct ParameterGroup {
  NamedTensors parameters;
  std::optional<double> lr = {};  // its own learning rate; else the optimizer's
  bool decays = true;             // weight decay, where the optimizer has any
};

class Optimizer {
 public:
  virtual ~Optimizer() = default;
  /// Makes one update from the present gradients. Parameters without a gradient stay. The learning
  /// rate is the option's, or the group's own, times `factor`. Never waits for the device.
  virtual void step(double factor) = 0;
  /// The option's, which a step multiplies by its factor.
  virtual double learning_rate() const = 0;
  virtual void visit(State& state) = 0;
};

using OptimizerRegistry = Registry<Optimizer, NoFields, const std::vector<ParameterGroup>&>;
OptimizerRegistry& optimizers();

/// returns the norm of all of them together, float [].
at::Tensor norm_of_all(const std::vector<at::Tensor>& tensors);

/// Returns the norm of all gradients together, float []. Requires: some parameter has a gradient.
at::Tensor gradient_norm(const NamedTensors& parameters);

/// Scales all gradients by min(1, limit / norm), the norm taken over all of them together (Pascanu
/// et al., 2013), without reading the norm back. returns the norm, float [].
at::Tensor clip_gradients(const NamedTensors& parameters, double limit);

}  // namespace rethink
