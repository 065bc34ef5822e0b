#include "experiments/train/metrics.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/config/schema.h"
#include "core/json.h"
#include "datasets/scores/labelled_metrics.h"

namespace rethink {
namespace {

double exact_match(const Outcomes& outcomes) {
  const auto& exact = outcomes.exact;
  return std::accumulate(exact.begin(), exact.end(), 0.0) / static_cast<double>(exact.size());
}

double bleu(const Outcomes& outcomes) {
  return outcomes.bleu->value();
}

double loss(const Outcomes& outcomes) {
  return nats_per_token(outcomes.losses);
}

/// Token-weighted: the usual perplexity.
double perplexity(const Outcomes& outcomes) {
  return std::exp(nats_per_token(outcomes.losses));
}

/// Every line has the same weight. BET's released code reports this as perplexity; it cannot be
/// compared with the token-weighted one.
double line_perplexity(const Outcomes& outcomes) {
  double sum = 0.0, lines = 0.0;
  for (const SequenceLoss& sequence : outcomes.losses) {
    if (sequence.tokens == 0) continue;
    sum += sequence.nll / static_cast<double>(sequence.tokens);
    lines += 1.0;
  }
  return std::exp(sum / lines);
}

double bits_per_token(const Outcomes& outcomes) {
  return nats_per_token(outcomes.losses) / std::log(2.0);
}

double masked_accuracy(const Outcomes& outcomes) {
  double right = 0, tokens = 0;
  for (size_t text = 0; text < outcomes.losses.size(); ++text) {
    right += outcomes.right[text];
    tokens += static_cast<double>(outcomes.losses[text].tokens);
  }
  return right / tokens;
}

double next_sentence_accuracy(const Outcomes& outcomes) {
  return labelled_metric("accuracy", outcomes.predicted, outcomes.expected);
}

struct MetricEntry {
  const char* name;
  const char* summary;
  MetricFacts facts;
  double (*value)(const Outcomes&);
};

const MetricItems kMeanNats = {.mean_over = "tokens", .shown_as = "nats"};

const std::vector<MetricEntry> kMetrics = {
    {"exact",
     "share of exact answers (SQuAD; in v2.0 at the threshold that is best for it)",
     {.kind = "answers", .direction = "max", .least = 0, .most = 1},
     exact_match},
    {"bleu",
     "BLEU [%]: sacreBLEU's, or of text tokenized before multi-bleu's",
     {.kind = "translations",
      .direction = "max",
      .items = MetricItems{.sums_of = "bleu_counts"},
      .least = 0,
      .most = 100},
     bleu},
    {"loss",
     "negative log-likelihood of a token [nats]",
     {.kind = "sequences", .direction = "min", .items = kMeanNats, .least = 0},
     loss},
    {"perplexity",
     "exp of the negative log-likelihood of a token, token-weighted",
     {.kind = "sequences",
      .direction = "min",
      .items = MetricItems{.mean_over = "tokens", .shown_as = "exp"},
      .least = 1},
     perplexity},
    {"line_perplexity",
     "exp of the mean over lines of a line's loss per token (BET's released code)",
     {.kind = "sequences",
      .direction = "min",
      .items = MetricItems{.mean_over = "items", .shown_as = "exp"},
      .least = 1},
     line_perplexity},
    {"bits_per_character",
     "negative log2-likelihood of a character (Graves, 2013)",
     {.kind = "sequences",
      .direction = "min",
      .items = MetricItems{.mean_over = "tokens", .shown_as = "bits"},
      .unit = "character",
      .least = 0},
     bits_per_token},
    {"nats_per_character",  // docs/fidelity.md says why
     "negative log-likelihood of a character [nats]; most likely what BET calls BPC",
     {.kind = "sequences", .direction = "min", .items = kMeanNats, .unit = "character", .least = 0},
     loss},
    {"mlm_loss",
     "negative log-likelihood of a masked token [nats]",
     {.kind = "masked", .direction = "min", .items = kMeanNats, .least = 0},
     loss},
    {"mlm_accuracy",
     "share of masked tokens that are predicted",
     {.kind = "masked", .direction = "max", .least = 0, .most = 1},
     masked_accuracy},
    {"nsp_accuracy",
     "share of pairs told right: does the second text follow?",
     {.kind = "masked", .direction = "max", .least = 0, .most = 1},
     next_sentence_accuracy},
};

bool add_metrics() {
  for (const LabelledMetric& metric : labelled_metrics()) {
    metrics().add<NoFields>(
        {.name = metric.name,
         .summary = metric.summary,
         .facts = {.kind = "labels", .direction = "max", .least = metric.least, .most = 1}},
        [value = metric.value](const NoFields&) {
          return std::make_shared<Metric>([value](const Outcomes& outcomes) {
            return value(outcomes.predicted, outcomes.expected);
          });
        });
  }
  for (const MetricEntry& entry : kMetrics) {
    metrics().add<NoFields>(
        {.name = entry.name, .summary = entry.summary, .facts = entry.facts},
        [value = entry.value](const NoFields&) { return std::make_shared<Metric>(value); });
  }
  return true;
}

RETHINK_REGISTERED = add_metrics();

}  // namespace

MetricRegistry& metrics() {
  static MetricRegistry registry("metric", "experiments/train/metrics");
  return registry;
}

bool smaller_is_better(const std::string& name) {
  return metrics().facts(name).direction == "min";
}

std::optional<double> loss_said_by(const std::string& name, double value) {
  const std::vector<std::string> known = metrics().names();
  if (!std::ranges::binary_search(known, name)) return std::nullopt;
  const std::optional<MetricItems>& items = metrics().facts(name).items;
  if (!items) return std::nullopt;
  if (items->shown_as == "nats") return value;
  if (items->shown_as == "bits") return value * std::log(2.0);
  if (items->shown_as == "exp") return std::log(value);
  return std::nullopt;
}

std::vector<std::string> metrics_of(const std::string& kind) {
  std::vector<std::string> names = metrics().names();
  std::erase_if(names, [&](const std::string& name) { return metrics().facts(name).kind != kind; });
  return names;
}

std::map<std::string, double> metric_values(const std::string& kind, const Outcomes& outcomes,
                                            bool characters) {
  std::map<std::string, double> values;
  for (const std::string& name : metrics_of(kind)) {
    if (metrics().facts(name).unit == "character" && !characters) continue;
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
