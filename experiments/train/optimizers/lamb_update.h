// One update of LAMB (optimizers/lamb.cpp), for single parameters or for all together.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace rethink {

/// One parameter with a gradient, its state, and the numbers of its update.
struct LambParameter {
  at::Tensor parameter, gradient, mean, square;
  double lr = 0.0;
  bool decays = false;  // whether weight decay and the step's scaling to the parameter's norm apply
};

struct LambRule {
  double beta1 = 0.9, beta2 = 0.999, eps = 1e-6, weight_decay = 0.01;
  double mean_share = 1.0, square_share = 1.0;  // correction of moments that start at zero
};

/// Updates one parameter. Requires, here and below: no gradients are recorded.
void update_by_lamb(const LambParameter& one, const LambRule& rule);

/// Does the same with LibTorch's operators on lists, each of which is one kernel on a GPU: 300 operators per update
/// instead of 2,400 for a model with 200 parameters. The sums of norms may have another order.
void update_by_lamb_together(const std::vector<LambParameter>& all, const LambRule& rule);

}  // namespace rethink
