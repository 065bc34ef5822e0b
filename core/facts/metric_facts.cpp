#include "core/facts/metric_facts.h"

namespace rethink {

void MetricItems::fields(Fields& field) {
  field("mean_over", mean_over, "what the losses' mean is over: tokens or items");
  field("shown_as", shown_as, "what is made of the mean: nats, bits or exp");
  field("sums_of", sums_of, "counts that add up: bleu_counts");
}

void MetricFacts::fields(Fields& field) {
  field("kind", kind, "which outcomes it is of (Outcomes in experiments/train/metrics.h)")
      .required();
  field("direction", direction, "which way is better: min or max").required();
  field("items", items, "how it follows from items");
  field("unit", unit, "of the tokens that it is for: character; empty: of any");
  field("least", least, "the least value that it can have; empty: not known");
  field("most", most, "the greatest value that it can have; empty: there is none");
}

}  // namespace rethink
