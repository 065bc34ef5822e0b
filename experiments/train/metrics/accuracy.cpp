// Share of the examples whose class, or choice, was predicted.
#include "datasets/scores/labelled_metrics.h"
#include "experiments/train/metric.h"

namespace rethink {
namespace {

class Accuracy : public Metric {
 public:
  double value(const Outcomes& outcomes) const override {
    return labelled_metric("accuracy", outcomes.predicted, outcomes.expected);
  }
};

RETHINK_REGISTERED = metrics().add<NoFields>(
    {.name = "accuracy",
     .summary = "share of right predictions (GLUE: MNLI, QNLI, RTE, SST-2, WNLI; SWAG)",
     .facts = {{"kind", "labels"}, {"direction", "max"}}},
    [](const NoFields&) { return std::make_shared<Accuracy>(); });

}  // namespace
}  // namespace rethink
