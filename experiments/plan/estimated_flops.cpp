#include "experiments/plan/estimated_flops.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "core/config/configuration.h"
#include "core/facts/dataset_facts.h"
#include "experiments/plan/model_shape.h"

namespace rethink {
namespace {

std::optional<double> number_at(const Json& config, const std::string& path) {
  const Json* value = find_path(config, path);
  return value && value->is_number() ? std::optional(value->get<double>()) : std::nullopt;
}

TrainingText of_full_length(double sequences, const ModelShape& shape) {
  const auto tokens = static_cast<double>(shape.tokens);
  return {
      .tokens = sequences * tokens, .pairs = sequences * tokens * tokens, .sequences = sequences};
}

/// Returns the size of a split of the job's data set, up to the limit that an option sets.
std::optional<TrainingText> split_text(const std::string& split, const Json& config,
                                       const ModelShape& shape, const PluginSchema& job,
                                       const Schema& schema, TrainingTexts& texts) {
  for (const ChosenPlugin& chosen : plugins_chosen(config, job.options, schema)) {
    const auto* facts = chosen.plugin->facts.get_if<DatasetFacts>();
    if (!facts || chosen.path != "data") continue;
    const auto count = facts->examples.find(split);
    if (count == facts->examples.end())
      return texts.of(*facts, *chosen.options, static_cast<double>(shape.tokens), split);
    const auto all = static_cast<double>(count->second);
    const double cut = number_at(config, "data." + split + "_examples").value_or(0);
    return of_full_length(cut > 0 ? std::min(all, cut) : all, shape);  // 0: all
  }
  return std::nullopt;
}

TrainingText times(double factor, const TrainingText& text) {
  return {.tokens = factor * text.tokens,
          .pairs = factor * text.pairs,
          .sequences = factor * text.sequences};
}

double sequences_of_step(const Json& config, const ModelShape& shape) {
  return static_cast<double>(shape.rows) * number_at(config, "accumulate").value_or(1);
}

/// Returns the size of the text of all training steps.
std::optional<TrainingText> trained_text(const Json& config, const ModelShape& shape,
                                         const PluginSchema& job, const Schema& schema,
                                         TrainingTexts& texts) {
  if (const auto steps = number_at(config, "steps"))
    return of_full_length(*steps * sequences_of_step(config, shape), shape);
  const auto epochs = number_at(config, "epochs");
  const auto epoch = epochs ? split_text("train", config, shape, job, schema, texts) : std::nullopt;
  return epoch ? std::optional(times(*epochs, *epoch)) : std::nullopt;
}

/// Returns the FLOPs of the forward and backward passes over `text`.
double training_flops(const TrainingText& text, const ModelShape& shape) {
  const double channels =
      static_cast<double>(shape.layers + shape.cross_layers) * static_cast<double>(shape.d_model);
  return 6 * weights_of_layers(shape) * text.tokens + 12 * channels * text.pairs;
}

/// Returns the number of evaluations of a training on `sequences` sequences, the last one included. `epoch` returns
/// the size of the training text.
std::optional<double> num_evaluations(const Json& config, const ModelShape& shape, double sequences,
                                      const std::function<std::optional<TrainingText>()>& epoch) {
  const double every = number_at(config, "evaluate.every").value_or(0);
  const Json* const at_ends = find_path(config, "evaluate.epoch_ends");
  const bool at_epoch_ends = every == 0 || (at_ends && *at_ends == true);
  double count = 0;
  if (every > 0) count += std::ceil(sequences / sequences_of_step(config, shape) / every);
  if (!at_epoch_ends) return count;
  const auto text = epoch();
  if (!text || text->sequences <= 0) return std::nullopt;
  return count + std::max(1.0, std::ceil(sequences / text->sequences));
}

}  // namespace

std::optional<double> estimated_flops(const Json& config, const PluginSchema& job,
                                      const Schema& schema, TrainingTexts& texts) {
  const std::optional<ModelShape> shape = model_shape(config);
  if (!shape) return std::nullopt;
  const auto trained = trained_text(config, *shape, job, schema, texts);
  return trained ? std::optional(training_flops(*trained, *shape)) : std::nullopt;
}

std::optional<double> estimated_evaluation_flops(const Json& config, const PluginSchema& job,
                                                 const Schema& schema, TrainingTexts& texts) {
  const std::optional<ModelShape> shape = model_shape(config);
  const Json* const splits = find_path(config, "evaluate.splits");
  if (!shape || !splits || !splits->is_array()) return std::nullopt;
  const auto text_of = [&](const std::string& split) {
    return split_text(split, config, *shape, job, schema, texts);
  };
  const auto trained = trained_text(config, *shape, job, schema, texts);
  const auto count = trained ? num_evaluations(config, *shape, trained->sequences,
                                               [&] { return text_of("train"); })
                             : std::nullopt;
  if (!count) return std::nullopt;
  const auto has = [&](const char* option, const Json& value) {
    const Json* const given = find_path(config, option);
    return given && *given == value;
  };
  const bool keeps_best = has("evaluate.keep", "best");
  const bool tests_at_end =
      has("evaluate.test", "end") ||
      (keeps_best && !has("evaluate.test", "each") && !has("evaluate.min_test", true));
  const double at_end = keeps_best ? 2 : 1;  // of the last weights, and of the best ones
  double flops = 0;
  for (const Json& name : *splits) {
    const std::string split = name.get<std::string>();
    const auto text = text_of(split);
    if (!text) return std::nullopt;
    double passes = split == "test" && tests_at_end ? at_end : *count;
    const double limit = number_at(config, "evaluate.dev_examples").value_or(0);
    if (split == "dev" && limit > 0 && text->sequences > limit)
      passes = *count * limit / text->sequences + at_end;
    flops += passes * training_flops(*text, *shape) / 3;
  }
  return flops;
}

}  // namespace rethink
