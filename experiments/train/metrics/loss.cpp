// Mean negative log-likelihood of a token, over all tokens [nats].
#include <cmath>

#include "experiments/train/metric.h"

namespace rethink {
namespace {

class Loss : public Metric {
 public:
  double value(const Outcomes& outcomes) const override { return nats_per_token(outcomes.losses); }
};

RETHINK_REGISTERED =
    metrics().add<NoFields>({.name = "loss",
                             .summary = "negative log-likelihood of a token [nats]",
                             .facts = {{"kind", "sequences"},
                                       {"direction", "min"},
                                       {"items", {{"mean_over", "tokens"}, {"shown_as", "nats"}}}}},
                            [](const NoFields&) { return std::make_shared<Loss>(); });

}  // namespace
}  // namespace rethink
