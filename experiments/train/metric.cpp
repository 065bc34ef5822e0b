#include "experiments/train/metric.h"

namespace rethink {

MetricRegistry& metrics() {
  static MetricRegistry registry("metric", "experiments/train/metrics");
  return registry;
}

bool smaller_is_better(const std::string& name) {
  return metrics().schema(name).facts.at("direction").get<std::string>() == "min";
}

std::map<std::string, double> metric_values(const std::string& kind, const Outcomes& outcomes,
                                            bool characters) {
  std::map<std::string, double> values;
  for (const std::string& name : metrics().names()) {
    const Json facts = metrics().schema(name).facts;
    if (facts.at("kind") != kind) continue;
    if (facts.value("unit", "") == "character" && !characters) continue;
    values[name] = metrics().make(name, Json::object())->value(outcomes);
  }
  return values;
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
