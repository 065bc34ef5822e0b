// LAMB (You et al., "Large batch optimization for deep learning", ICLR 2020, algorithm 2): Adam's
// step with decoupled decay, scaled for each parameter to the parameter's own length. As in the
// optimizer of SparseBERT's released pretraining, parameters without decay (biases, norms, scores
// of masks) take Adam's step unscaled.
#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <cmath>

#include "experiments/train/optimizer.h"
#include "experiments/train/optimizers/adam_fields.h"
#include "experiments/train/optimizers/lamb_update.h"
#include "experiments/train/state.h"

namespace rethink {
namespace {

struct LambOptions {
  double lr = 6e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-6;
  double weight_decay = 0.01;

  void fields(Fields& field) {
    declare_adam_fields(field, *this);
    field("weight_decay", weight_decay, "this many times the weight is added to Adam's step")
        .min(0);
  }
};

class Lamb : public Optimizer {
 public:
  Lamb(const LambOptions& options, const std::vector<ParameterGroup>& groups) : options_(options) {
    for (const ParameterGroup& group : groups) {
      for (const auto& [name, parameter] : group.parameters) {
        const bool decays = group.decays && parameter.dim() > 1 && options_.weight_decay > 0;
        slots_.push_back({name, parameter, at::zeros_like(parameter), at::zeros_like(parameter),
                          group.lr.value_or(options_.lr), decays});
      }
    }
  }

  void step(double factor) override {
    const at::NoGradGuard no_gradient;
    ++steps_;
    const double steps = static_cast<double>(steps_);
    const LambRule rule{options_.beta1,
                        options_.beta2,
                        options_.eps,
                        options_.weight_decay,
                        1 - std::pow(options_.beta1, steps),
                        1 - std::pow(options_.beta2, steps)};
    std::vector<LambParameter> on_gpu;
    for (const Slot& slot : slots_) {
      const at::Tensor& gradient = slot.parameter.grad();
      if (!gradient.defined()) continue;
      const LambParameter one{slot.parameter, gradient,         slot.mean,
                              slot.square,    slot.lr * factor, slot.decays};
      slot.parameter.is_cuda() ? on_gpu.push_back(one) : update_by_lamb(one, rule);
    }
    update_by_lamb_together(on_gpu, rule);
  }

  double learning_rate() const override { return options_.lr; }

  void visit(State& state) override {
    for (Slot& slot : slots_) {
      state.tensor("optimizer/mean/" + slot.name, slot.mean);
      state.tensor("optimizer/square/" + slot.name, slot.square);
    }
    state.value("optimizer/steps", steps_);
  }

 private:
  struct Slot {
    std::string name;
    at::Tensor parameter, mean, square;
    double lr;
    bool decays;
  };

  const LambOptions options_;
  std::vector<Slot> slots_;
  int64_t steps_ = 0;
};

RETHINK_REGISTERED = optimizers().add<LambOptions>(
    {.name = "lamb",
     .summary = "LAMB: Adam with steps scaled to the norm of the weights (You et al., 2020)"},
    [](const LambOptions& options, const std::vector<ParameterGroup>& groups) {
      return std::make_shared<Lamb>(options, groups);
    });

}  // namespace
}  // namespace rethink
