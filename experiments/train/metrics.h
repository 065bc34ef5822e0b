// Metrics by name: one entry each in the table of metrics.cpp; metrics of labels in the table of
// datasets/scores/labelled_metrics.cpp.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/config/registry.h"
#include "core/facts/metric_facts.h"
#include "datasets/scores/bleu.h"

namespace rethink {

/// Quality of the prediction of one sequence.
struct SequenceLoss {
  double nll = 0.0;    // negative log-likelihood, summed over its predicted tokens [nats]
  int64_t tokens = 0;  // predicted tokens
};

/// Outcomes of an evaluation for each item of a split. The task's kind decides the parts:
///   "sequences"  losses of sentences, lines or segments
///   "masked"     losses of texts with masked tokens; right predictions of each text; and whether a
///                second sentence follows: predicted and expected, 0 or 1
///   "labels"     classes or scores of examples: predicted and expected
///   "answers"    for questions, whether the answer is exact, 0 or 1
///   "translations"  for sentences, losses of the references, and BLEU's counts of the translations
struct Outcomes {
  std::span<const SequenceLoss> losses = {};
  std::span<const double> right = {};
  std::span<const double> predicted = {}, expected = {};
  std::span<const double> exact = {};
  const BleuScore* bleu = nullptr;
};

struct Metric {
  /// Returns the metric. Sequences without a predicted token do not count; NaN if no item counts.
  std::function<double(const Outcomes& outcomes)> value;
};

using MetricRegistry = Registry<Metric, MetricFacts>;
MetricRegistry& metrics();

/// Returns whether a smaller value of the metric `name` is better.
bool smaller_is_better(const std::string& name);

/// Returns the loss per token [nats] behind `value` of the metric `name`; nothing if the metric does not measure a loss.
std::optional<double> loss_said_by(const std::string& name, double value);

/// Returns every metric of this kind (Outcomes).
std::vector<std::string> metrics_of(const std::string& kind);
/// Returns all metrics of this kind, by name; metrics of characters only if tokens are characters.
std::map<std::string, double> metric_values(const std::string& kind, const Outcomes& outcomes,
                                            bool characters = false);

/// Returns the losses that a trial stores for tests over items: nll f64 [N], tokens i64 [N].
std::map<std::string, at::Tensor> loss_predictions(std::span<const SequenceLoss> losses);

/// Returns the negative log-likelihood per token, over all tokens of all sequences [nats].
double nats_per_token(std::span<const SequenceLoss> sequences);

}  // namespace rethink
