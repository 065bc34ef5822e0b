#include "plots/table/item_metric.h"

#include <cmath>

#include "core/config/schema.h"
#include "core/json.h"

namespace rethink {

double ItemMetric::value(double mean) const {
  if (shown_as == "exp") return std::exp(mean);
  return shown_as == "bits" ? mean / std::log(2.0) : mean;
}

ItemMetrics item_metrics(
    const Schema& schema,
    const std::function<double(const std::string& name, std::span<const double> predicted,
                               std::span<const double> expected)>& labelled,
    const CountMetric& bleu) {
  ItemMetrics metrics;
  for (const std::string& name : schema.names("metric")) {
    const Json& facts = schema.find("metric", name)->facts;
    const std::string kind = facts.value("kind", "");
    const Json items = facts.value("items", Json::object());
    if (items.contains("mean_over"))
      metrics[name] = {items.at("mean_over") == "items", items.at("shown_as")};
    if (items.contains("sums_of")) metrics[name].of_counts = bleu;
    // Questions have an F1 too, which is the mean of each answer's.
    if (kind == "labels" || kind == "answers") metrics[name].own_score = name;
    if (kind == "labels") {
      metrics[name].of_labels = [labelled, name](auto predicted, auto expected) {
        return labelled(name, predicted, expected);
      };
    }
  }
  return metrics;
}

}  // namespace rethink
