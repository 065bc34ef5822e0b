#include "experiments/train/metric.h"

namespace rethink {

MetricRegistry& metrics() {
  static MetricRegistry registry("metric", "experiments/train/metrics");
  return registry;
}

bool smaller_is_better(const std::string& name) {
  return metrics().schema(name).facts.at("direction").get<std::string>() == "min";
}

double nats_per_token(std::span<const SequenceLoss> sequences) {
  double nll = 0.0, tokens = 0.0;
  for (const SequenceLoss& sequence : sequences) {
    nll += sequence.nll;
    tokens += static_cast<double>(sequence.tokens);
  }
  return nll / tokens;
}

}  // namespace rethink
