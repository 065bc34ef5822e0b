#include "plots/item_metric.h"

#include <cmath>

namespace rethink {

double ItemMetric::value(double mean_nats) const {
  if (shown_as == "exp") return std::exp(mean_nats);
  return shown_as == "bits" ? mean_nats / std::log(2.0) : mean_nats;
}

ItemMetrics item_metrics(const Schema& schema) {
  ItemMetrics metrics;
  for (const std::string& name : schema.names("metric")) {
    const Json& facts = schema.find("metric", name)->facts;
    const auto items = facts.find("items");
    if (items == facts.end()) continue;
    metrics[name] = {items->at("mean_over") == "items", items->at("shown_as")};
  }
  return metrics;
}

}  // namespace rethink
