// Share of the masked tokens that are predicted.
#include "experiments/train/metric.h"

namespace rethink {
namespace {

class MlmAccuracy : public Metric {
 public:
  double value(const Outcomes& outcomes) const override {
    double right = 0, tokens = 0;
    for (size_t text = 0; text < outcomes.losses.size(); ++text) {
      right += outcomes.right[text];
      tokens += static_cast<double>(outcomes.losses[text].tokens);
    }
    return right / tokens;
  }
};

RETHINK_REGISTERED =
    metrics().add<NoFields>({.name = "mlm_accuracy",
                             .summary = "share of masked tokens that are predicted",
                             .facts = {{"kind", "masked"}, {"direction", "max"}}},
                            [](const NoFields&) { return std::make_shared<MlmAccuracy>(); });

}  // namespace
}  // namespace rethink
