// Negative log-likelihood of a masked token, over all of them.
#include "experiments/train/metric.h"

namespace rethink {
namespace {

class MlmLoss : public Metric {
 public:
  double value(const Outcomes& outcomes) const override { return nats_per_token(outcomes.losses); }
};

RETHINK_REGISTERED =
    metrics().add<NoFields>({.name = "mlm_loss",
                             .summary = "negative log-likelihood of a masked token [nats]",
                             .facts = {{"kind", "masked"},
                                       {"direction", "min"},
                                       {"items", {{"mean_over", "tokens"}, {"shown_as", "nats"}}}}},
                            [](const NoFields&) { return std::make_shared<MlmLoss>(); });

}  // namespace
}  // namespace rethink
