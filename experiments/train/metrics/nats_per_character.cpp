// Mean negative log-likelihood of a character in nats: what BET's Table 2 most likely shows under
// the name "BPC" (docs/fidelity.md).
#include <cmath>

#include "experiments/train/metric.h"

namespace rethink {
namespace {

class NatsPerCharacter : public Metric {
 public:
  double value(const Outcomes& outcomes) const override { return nats_per_token(outcomes.losses); }
};

RETHINK_REGISTERED = metrics().add<NoFields>(
    {.name = "nats_per_character",
     .summary = "negative log-likelihood of a character [nats]; most likely what BET calls BPC",
     .facts = {{"kind", "sequences"},
               {"direction", "min"},
               {"items", {{"mean_over", "tokens"}, {"shown_as", "nats"}}},
               {"unit", "character"}}},
    [](const NoFields&) { return std::make_shared<NatsPerCharacter>(); });

}  // namespace
}  // namespace rethink
