// Share of the pairs of which it was told whether the second text follows the first.
#include "datasets/scores/labelled_metrics.h"
#include "experiments/train/metric.h"

namespace rethink {
namespace {

class NspAccuracy : public Metric {
 public:
  double value(const Outcomes& outcomes) const override {
    return labelled_metric("accuracy", outcomes.predicted, outcomes.expected);
  }
};

RETHINK_REGISTERED =
    metrics().add<NoFields>({.name = "nsp_accuracy",
                             .summary = "share of pairs told right: does the second text follow?",
                             .facts = {{"kind", "masked"}, {"direction", "max"}}},
                            [](const NoFields&) { return std::make_shared<NspAccuracy>(); });

}  // namespace
}  // namespace rethink
