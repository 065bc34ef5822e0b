// Pearson correlation of predicted and true scores.
#include "datasets/scores/labelled_metrics.h"
#include "experiments/train/metric.h"

namespace rethink {
namespace {

class Pearson : public Metric {
 public:
  double value(const Outcomes& outcomes) const override {
    return labelled_metric("pearson", outcomes.predicted, outcomes.expected);
  }
};

RETHINK_REGISTERED =
    metrics().add<NoFields>({.name = "pearson",
                             .summary = "Pearson correlation (GLUE: STS-B)",
                             .facts = {{"kind", "labels"}, {"direction", "max"}}},
                            [](const NoFields&) { return std::make_shared<Pearson>(); });

}  // namespace
}  // namespace rethink
