// Spearman rank correlation of predicted and true scores.
#include "datasets/scores/labelled_metrics.h"
#include "experiments/train/metric.h"

namespace rethink {
namespace {

class Spearman : public Metric {
 public:
  double value(const Outcomes& outcomes) const override {
    return labelled_metric("spearman", outcomes.predicted, outcomes.expected);
  }
};

RETHINK_REGISTERED = metrics().add<NoFields>(
    {.name = "spearman",
     .summary = "Spearman rank correlation (GLUE: STS-B, as SparseBERT reports it)",
     .facts = {{"kind", "labels"}, {"direction", "max"}}},
    [](const NoFields&) { return std::make_shared<Spearman>(); });

}  // namespace
}  // namespace rethink
