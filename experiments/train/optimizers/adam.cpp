// Adam (Kingma and Ba, 2014), with AMSGrad (Reddi et al., 2018) on request. Weight decay acts
// through the gradient (L2), as in torch.optim.Adam.
#include "experiments/train/optimizers/adam_fields.h"
#include "experiments/train/optimizers/fused_adam.h"

namespace rethink {
namespace {

struct AdamOptions {
  FusedAdamOptions fused;

  void fields(Fields& field) {
    declare_adam_fields(field, fused);
    field("weight_decay", fused.weight_decay, "L2 penalty, added to the gradient").min(0);
    field("amsgrad", fused.amsgrad, "divide by the largest mean square so far (AMSGrad)");
  }
};

RETHINK_REGISTERED = optimizers().add<AdamOptions>(
    {.name = "adam",
     .summary = "Adam (Kingma and Ba, 2014), AMSGrad on request (Reddi et al., 2018)"},
    [](const AdamOptions& options, const std::vector<ParameterGroup>& groups) {
      return std::make_shared<FusedAdam>(options.fused, groups);
    });

}  // namespace
}  // namespace rethink
