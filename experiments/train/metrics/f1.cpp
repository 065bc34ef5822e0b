// F1 of class 1, the positive one of a task with two classes.
#include "datasets/scores/labelled_metrics.h"
#include "experiments/train/metric.h"

namespace rethink {
namespace {

class F1 : public Metric {
 public:
  double value(const Outcomes& outcomes) const override {
    return labelled_metric("f1", outcomes.predicted, outcomes.expected);
  }
};

RETHINK_REGISTERED = metrics().add<NoFields>(
    {.name = "f1",
     .summary = "F1 of class 1 (GLUE: MRPC, QQP); of tagged words that of entities",
     .facts = {{"kind", "labels"}, {"direction", "max"}}},
    [](const NoFields&) { return std::make_shared<F1>(); });

}  // namespace
}  // namespace rethink
