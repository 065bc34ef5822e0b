#include "experiments/train/training_job.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "core/config/schema.h"
#include "core/files/file.h"
#include "core/files/hash.h"
#include "core/json.h"
#include "experiments/attempt/event_log.h"
#include "experiments/train/device/device.h"
#include "experiments/train/loop.h"
#include "experiments/train/metrics.h"
#include "models/tensors/tensor_file.h"

namespace rethink {
namespace {

/// With a smaller share of tokens, the trees are probably of another text.
constexpr double kFewHints = 0.1;

}  // namespace

JobOutcome TrainingJob::run(JobContext& context) {
  try {
    return train(context);
  } catch (const c10::Error& error) {
    rethrow_if_out_of_memory(error);
    throw;
  }
}

JobMetrics training_metrics(JobMetrics metrics) {
  metrics.always = {"train/loss", "train/learning_rate", "train/gradient_norm",
                    "train/parameter_norm"};
  metrics.numbered = {"train/attention_entropy", "train/attention_logit"};
  metrics.splits = "evaluate.splits";
  metrics.finals = {
      {"@last", std::nullopt}, {"@best", std::nullopt}, {"@min_test", "evaluate.min_test"}};
  return metrics;
}

NamedMetrics metrics_of_the_data_set() {
  return {.option = "data.dataset", .registry = "dataset", .fact = "metrics"};
}

std::vector<Rule> splits_of_the_data_set() {
  std::vector<Rule> all = {is_declared("evaluate.splits", "data.dataset", "dataset", "splits",
                                       "these are the splits of the data set")};
  for (const std::string& name : datasets().names()) {
    for (const auto& [split, option] : datasets().facts(name).optional_splits) {
      all.push_back(
          excludes("evaluate.splits", split, "data." + option, {""},
                   "without a file there is no such split: name one, or leave the split out")
              .only_where({{"data.dataset", name}}));
    }
  }
  return all;
}

Rule a_position_for_every_token() {
  return at_most(
      "max_length", "model.max_positions",
      "every token needs a position: lower max_length, or raise model.max_positions in the "
      "stage that draws the first weights (those of `init` bring their positions along)");
}

Rule a_mask_for_every_token() {
  return at_most(
      "max_length", "model.attention.length",
      "the attention's mask is for that many tokens: raise model.attention.length, or lower "
      "max_length");
}

void write_split_size(const std::string& split, const SplitSize& size, EventLog& events) {
  events.measurement(split + "_examples", 0, static_cast<double>(size.used));
  events.measurement(split + "_examples_official", 0, static_cast<double>(size.whole));
}

void write_hint_coverage(double share, EventLog& events) {
  events.measurement("hint_coverage", 0, share);
  const bool are_few = share < kFewHints;
  events.message(
      are_few ? "warning" : "info",
      fmt::format("syntax hints: of the training split's predicted tokens, {:.1f} % are in "
                  "sentences of the trees that data.hints names{}",
                  100 * share,
                  are_few ? ": are these trees of this text? without hints the model learns as one "
                            "of attention 'dense'"
                          : ""));
}

std::map<std::string, at::Tensor> predictions_of(
    const std::string& split, const std::map<std::string, at::Tensor>& predictions) {
  std::map<std::string, at::Tensor> found;
  for (const auto& [name, tensor] : predictions) {
    if (name.starts_with(split + "/")) found[name.substr(split.size() + 1)] = tensor;
  }
  return found;
}

void leave_predictions(const Trainer& trainer, const std::vector<std::string>& metrics,
                       JobContext& context) {
  const std::filesystem::path file = context.artifact_file("predictions.safetensors");
  write_tensors(file, trainer.predictions(), {});
  context.add_artifact("predictions", "predictions", file);
  Json& directions = context.result["directions"] = Json::object();
  for (const std::string& name : metrics)
    directions[name] = smaller_is_better(name) ? "min" : "max";
  directions["score"] = directions.at(trainer.metric());
}

void leave_prediction_file(const std::string& name, const std::string& text,
                           const std::string& split, JobContext& context) {
  const std::filesystem::path file = context.artifact_file(name);
  write_file_atomically(file, text);
  context.add_artifact(name, "prediction_file", file, {{"split", split}});
}

void leave_weights(const Trainer& trainer, JobContext& context) {
  const std::filesystem::path file = context.artifact_file("weights.safetensors");
  write_tensors(file, trainer.kept_weights(),
                {{"format", "pt"}, {"config", canonical_json(identity_config(context.trial))}});
  context.result["weights_sha256"] = sha256_file(file);
  if (context.runtime.keep_weights) {
    context.add_artifact(kWeights, kWeights, file);
  } else {
    std::filesystem::remove(file);
  }
}

}  // namespace rethink
