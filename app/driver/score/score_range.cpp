#include "app/driver/score/score_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "core/config/schema.h"
#include "core/json.h"
#include "datasets/dataset.h"
#include "datasets/scores/labelled_metrics.h"
#include "results/query/run_query.h"

namespace rethink {
namespace {

constexpr double kWhole = 100;  // %

ScoreRange percentage(const std::string& metric, double least = 0) {
  return {kWhole * least, kWhole, metric, true};
}

/// Nothing for a metric that is unknown here.
std::optional<ScoreRange> range_of_metric(const std::string& metric) {
  static const std::map<std::string, double> unbounded = {
      {"perplexity", 1}, {"line_perplexity", 1},    {"loss", 0},
      {"mlm_loss", 0},   {"bits_per_character", 0}, {"nats_per_character", 0},
  };
  static const std::vector<std::string> labelled = labelled_metric_names();
  if (std::ranges::count(labelled, metric) > 0)
    return percentage(metric, least_of_labelled_metric(metric));
  for (const char* share : {"bleu", "exact", "mlm_accuracy", "nsp_accuracy"}) {
    if (metric == share) return percentage(metric);
  }
  const auto found = unbounded.find(metric);
  if (found == unbounded.end()) return std::nullopt;
  return ScoreRange{found->second, std::nullopt, metric, false};
}

}  // namespace

std::string ScoreRange::expectation() const {
  const std::string range =
      most ? fmt::format("from {:g} to {:g}", least, *most) : fmt::format("{:g} or more", least);
  return fmt::format("expected {}: {}{}", range, metric, is_percent ? " in %" : "");
}

std::optional<ScoreRange> score_range(Store& store, const std::string& trial,
                                      const std::string& name) {
  const std::optional<TrialRow> row = store.trial(trial);
  const Json* dataset = row ? find_path(row->config, "data.dataset") : nullptr;
  const Json facts = dataset ? datasets().schema(*dataset).facts : Json::object();
  const auto measured = facts.value("server_metrics", std::map<std::string, std::string>());
  if (const auto metric = measured.find(name); metric != measured.end())
    return range_of_metric(metric->second);
  if (const auto range = range_of_metric(name)) return range;
  if (!measured.empty()) return percentage("the server's accuracies and correlations", -1);
  const auto splits = facts.value("splits", std::vector<std::string>());
  const bool is_split = name == "test" || std::ranges::count(splits, name) > 0;  // or a hidden one
  if (!is_split) return std::nullopt;
  return range_of_metric(facts.value("metric", ""));
}

}  // namespace rethink
