// AdamW (Loshchilov and Hutter, 2019): decay acts on the weight itself. As in BERT's training,
// biases and norms do not decay by default.
#include "experiments/train/optimizers/adam_fields.h"
#include "experiments/train/optimizers/fused_adam.h"

namespace rethink {
namespace {

struct AdamwOptions {
  FusedAdamOptions fused{.weight_decay = 0.01, .decoupled = true, .decay_vectors = false};

  void fields(Fields& field) {
    declare_adam_fields(field, fused);
    field("weight_decay", fused.weight_decay,
          "weight decay per step, as a share of the weight at learning rate 1")
        .min(0);
    field("decay_vectors", fused.decay_vectors, "decay biases and norms too");
    field("amsgrad", fused.amsgrad, "divide by the largest mean square so far (AMSGrad)");
  }
};

RETHINK_REGISTERED = optimizers().add<AdamwOptions>(
    {.name = "adamw", .summary = "AdamW: decoupled weight decay (Loshchilov and Hutter, 2019)"},
    [](const AdamwOptions& options, const std::vector<ParameterGroup>& groups) {
      return std::make_shared<FusedAdam>(options.fused, groups);
    });

}  // namespace
}  // namespace rethink
