// Mean negative log2-likelihood of a character, over all characters (Graves, 2013).
#include <cmath>

#include "experiments/train/metric.h"

namespace rethink {
namespace {

class BitsPerCharacter : public Metric {
 public:
  double value(const Outcomes& outcomes) const override {
    return nats_per_token(outcomes.losses) / std::log(2.0);
  }
};

RETHINK_REGISTERED =
    metrics().add<NoFields>({.name = "bits_per_character",
                             .summary = "negative log2-likelihood of a character (Graves, 2013)",
                             .facts = {{"kind", "sequences"},
                                       {"direction", "min"},
                                       {"items", {{"mean_over", "tokens"}, {"shown_as", "bits"}}},
                                       {"unit", "character"}}},
                            [](const NoFields&) { return std::make_shared<BitsPerCharacter>(); });

}  // namespace
}  // namespace rethink
