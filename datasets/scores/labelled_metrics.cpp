#include "datasets/scores/labelled_metrics.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/error.h"
#include "datasets/scores/classification.h"
#include "datasets/scores/correlation.h"

namespace rethink {
namespace {

using Numbers = std::span<const double>;

struct Metric {
  std::function<double(Numbers, Numbers)> value;
  double least = 0;
};

std::function<double(Numbers, Numbers)> of_classes(double (*metric)(std::span<const int64_t>,
                                                                    std::span<const int64_t>)) {
  return [metric](Numbers predicted, Numbers truth) {
    const std::vector<int64_t> a(predicted.begin(), predicted.end()), b(truth.begin(), truth.end());
    return metric(a, b);
  };
}

/// Guesses that are all equal know nothing: 0, as Matthews' correlation has it, where a quotient by
/// their deviation is NaN.
std::function<double(Numbers, Numbers)> of_scores(double (*metric)(Numbers, Numbers)) {
  return [metric](Numbers predicted, Numbers truth) {
    const bool are_equal =
        predicted.size() > 1 && std::isfinite(predicted.front()) && is_constant(predicted);
    return are_equal ? 0.0 : metric(predicted, truth);
  };
}

const std::map<std::string, Metric>& metrics_by_name() {
  static const std::map<std::string, Metric> known = {
      {"accuracy", {of_classes(accuracy)}},
      {"f1", {of_classes(f1_of_class_1)}},
      {"mcc", {of_classes(matthews_correlation), -1}},
      {"pearson", {of_scores(pearson_correlation), -1}},
      {"spearman", {of_scores(spearman_correlation), -1}}};
  return known;
}

const Metric& metric_named(const std::string& name) {
  const auto found = metrics_by_name().find(name);
  RETHINK_ASSERT(found != metrics_by_name().end(), name);
  return found->second;
}

}  // namespace

std::vector<std::string> labelled_metric_names() {
  std::vector<std::string> names;
  for (const auto& [name, metric] : metrics_by_name()) names.push_back(name);
  return names;
}

double labelled_metric(const std::string& name, Numbers predicted, Numbers truth) {
  return metric_named(name).value(predicted, truth);
}

double least_of_labelled_metric(const std::string& name) {
  return metric_named(name).least;
}

}  // namespace rethink
