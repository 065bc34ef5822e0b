#include "experiments/train/metric.h"

#include <ATen/ATen.h>

#include "core/json.h"
#include "core/schema.h"

namespace rethink {

MetricRegistry& metrics() {
  static MetricRegistry registry("metric", "experiments/train/metrics");
  return registry;
}

bool smaller_is_better(const std::string& name) {
  return metrics().schema(name).facts.at("direction").get<std::string>() == "min";
}

std::vector<std::string> metrics_of(const std::string& kind) {
  std::vector<std::string> names = metrics().names();
  std::erase_if(names, [&](const std::string& name) {
    return metrics().schema(name).facts.at("kind") != kind;
  });
  return names;
}

std::map<std::string, double> metric_values(const std::string& kind, const Outcomes& outcomes,
                                            bool characters) {
  std::map<std::string, double> values;
  for (const std::string& name : metrics_of(kind)) {
    const std::string unit = metrics().schema(name).facts.value("unit", "");
    if (unit == "character" && !characters) continue;
    values[name] = metrics().make(name, Json::object())->value(outcomes);
  }
  return values;
}

std::map<std::string, at::Tensor> loss_predictions(std::span<const SequenceLoss> losses) {
  std::vector<double> nll;
  std::vector<int64_t> tokens;
  for (const SequenceLoss& loss : losses) {
    nll.push_back(loss.nll);
    tokens.push_back(loss.tokens);
  }
  return {{"nll", at::tensor(nll, at::kDouble)}, {"tokens", at::tensor(tokens, at::kLong)}};
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
