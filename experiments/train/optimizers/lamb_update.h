// One update of LAMB (optimizers/lamb.cpp), of one parameter after another or of all together.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace rethink {

/// What an update does to a parameter with a gradient, and the state that it has.
struct LambParameter {
  at::Tensor parameter, gradient, mean, square;
  double lr = 0.0;
  bool decays = false;  // and its step is as long as the parameter
};

struct LambRule {
  double beta1 = 0.9, beta2 = 0.999, eps = 1e-6, weight_decay = 0.01;
  double mean_share = 1.0, square_share = 1.0;  // of the moments, that began at zero
};

/// Requires: no gradients are recorded, here and below.
void update_by_lamb(const LambParameter& one, const LambRule& rule);

/// The same by LibTorch's operators on lists, each of which is one kernel on a GPU: of a model with 200
/// parameters an update has 300 operators in place of 2,400. Sums of lengths may have another order.
void update_by_lamb_together(const std::vector<LambParameter>& all, const LambRule& rule);

}  // namespace rethink
