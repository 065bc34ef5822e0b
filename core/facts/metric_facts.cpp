#include "core/facts/metric_facts.h"

namespace rethink {

void MetricItems::fields(Fields& field) {
  field("mean_over", mean_over, "what the mean of the losses is taken over: tokens or items");
  field("shown_as", shown_as, "form of the mean: nats, bits or exp");
  field("sums_of", sums_of, "counts that are added up: bleu_counts");
}

void MetricFacts::fields(Fields& field) {
  field("kind", kind,
        "kind of outcomes that the metric measures (Outcomes in experiments/train/metrics.h)")
      .required();
  field("direction", direction, "which way is better: min or max").required();
  field("items", items, "how the metric is computed from items");
  field("unit", unit, "unit of tokens that the metric needs: character; empty: any");
  field("least", least, "smallest possible value; empty: unknown");
  field("most", most, "largest possible value; empty: no bound");
}

}  // namespace rethink
