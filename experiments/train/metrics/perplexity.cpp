// exp of the mean negative log-likelihood of a token: every token weighs the same. The usual
// perplexity.
#include <cmath>

#include "experiments/train/metric.h"

namespace rethink {
namespace {

class Perplexity : public Metric {
 public:
  double value(const Outcomes& outcomes) const override {
    return std::exp(nats_per_token(outcomes.losses));
  }
};

RETHINK_REGISTERED = metrics().add<NoFields>(
    {.name = "perplexity",
     .summary = "exp of the negative log-likelihood of a token, token-weighted",
     .facts = {{"kind", "sequences"},
               {"direction", "min"},
               {"items", {{"mean_over", "tokens"}, {"shown_as", "exp"}}}}},
    [](const NoFields&) { return std::make_shared<Perplexity>(); });

}  // namespace
}  // namespace rethink
