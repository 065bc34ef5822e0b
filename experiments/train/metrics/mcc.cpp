// Matthews' correlation coefficient of predicted and true classes.
#include "datasets/scores/labelled_metrics.h"
#include "experiments/train/metric.h"

namespace rethink {
namespace {

class Mcc : public Metric {
 public:
  double value(const Outcomes& outcomes) const override {
    return labelled_metric("mcc", outcomes.predicted, outcomes.expected);
  }
};

RETHINK_REGISTERED =
    metrics().add<NoFields>({.name = "mcc",
                             .summary = "Matthews' correlation coefficient (GLUE: CoLA)",
                             .facts = {{"kind", "labels"}, {"direction", "max"}}},
                            [](const NoFields&) { return std::make_shared<Mcc>(); });

}  // namespace
}  // namespace rethink
